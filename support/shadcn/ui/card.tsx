import type { ComponentProps } from 'react'

// What `npx shadcn add card` writes.

const part =
  (classes: string) =>
  ({ className = '', ...props }: ComponentProps<'div'>) => (
    <div className={`${classes} ${className}`} {...props} />
  )

export const Card = part('bg-card text-card-foreground flex flex-col gap-6 rounded-xl border py-6 shadow-sm')
export const CardHeader = part('grid items-start gap-1.5 px-6')
export const CardTitle = part('leading-none font-semibold')
export const CardContent = part('px-6')
export const CardFooter = part('flex items-center px-6')

import { type ComponentProps, cloneElement, type ReactElement } from 'react'

const looks = {
  default: 'bg-primary text-primary-foreground hover:bg-primary/90',
  ghost: 'hover:bg-accent hover:text-accent-foreground',
}

/** What `npx shadcn add button` writes, as far as the docs use it. */
export function Button({
  className = '',
  variant = 'default',
  asChild = false,
  children,
  ...props
}: ComponentProps<'button'> & { variant?: keyof typeof looks; asChild?: boolean }) {
  const all = `inline-flex items-center justify-center rounded-md px-4 py-2 text-sm font-medium ${looks[variant]} ${className}`
  if (asChild) return cloneElement(children as ReactElement<{ className: string }>, { className: all })
  return (
    <button type="button" className={all} {...props}>
      {children}
    </button>
  )
}

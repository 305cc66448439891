/** An icon of Lucide 1.75 (https://lucide.dev, ISC licence), apart from those that a page needs before any card. */
export const reasonIcon = [
  'M22 17a2 2 0 0 1-2 2H6.828a2 2 0 0 0-1.414.586l-2.202 2.202A.71.71 0 0 1 2 21.286V5a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2z',
  'M7 11h10',
  'M7 15h6',
  'M7 7h8',
] as const

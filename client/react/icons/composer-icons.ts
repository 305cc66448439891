/** Icons of Lucide 1.75 (https://lucide.dev, ISC licence): `<Drawing lines={sendIcon} />`. */
export const sendIcon = ['m5 12 7-7 7 7', 'M12 19V5'] as const

export const stopIcon = [
  'M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2',
] as const

export const attachIcon = [
  'm16 6-8.414 8.586a2 2 0 0 0 2.829 2.829l8.414-8.586a4 4 0 1 0-5.657-5.657l-8.379 8.551a6 6 0 1 0 8.485 8.485l8.379-8.551',
] as const

export const closeIcon = ['M18 6 6 18', 'm6 6 12 12'] as const

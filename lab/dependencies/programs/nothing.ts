export const send = (url: string) => fetch(url, { method: 'POST', body: '{}' })

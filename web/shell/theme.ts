export type Theme = 'system' | 'light' | 'dark'

const key = 'askback-theme'

export function readTheme(): Theme {
  const kept = localStorage.getItem(key)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

export function applyTheme(theme: Theme = readTheme()): void {
  if (theme === 'system') localStorage.removeItem(key)
  else localStorage.setItem(key, theme)
  document.documentElement.dataset.theme = theme
}

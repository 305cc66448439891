export type Theme = 'system' | 'light' | 'dark'

const key = 'askback-theme'

export function readTheme(): Theme {
  const kept = localStorage.getItem(key)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

/** The choice that looks different: the other look, which is the device's own or not. */
export function otherTheme(theme: Theme): Theme {
  const own = window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const other = (theme === 'system' ? own : theme) === 'dark' ? 'light' : 'dark'
  return other === own ? 'system' : other
}

export function applyTheme(theme: Theme = readTheme()): void {
  if (theme === 'system') localStorage.removeItem(key)
  else localStorage.setItem(key, theme)
  document.documentElement.dataset.theme = theme
}

/** Texts that stand for a value that nobody gave. */
const placeholder =
  /^\s*(?:n\/?a|n\.a\.?|none|null|nil|undefined|unknown|tbd|tba|todo|xxx+|(?:see|as) (?:above|below|before|discussed|mentioned)|same|(?:not|un)[ -]?(?:specified|provided|given|known|available|set)|to be (?:determined|decided|defined)|(?:your|the|my)_\w+|[A-Z_]*_HERE|(?:insert|enter|fill|add) .* here|placeholder|\?+|\.{2,}|…|-+|_+|<.*>|\{+.*\}+|\[[^\]]*\]|%\w*%|\$\w+)\s*$/is

/** True for `N/A`, `<city>`, `YOUR_CITY_HERE`, `see above`. */
export function isPlaceholder(text: string): boolean {
  return text.length <= 80 && placeholder.test(text)
}

/** Texts that stand for a value that nobody gave. */
const placeholder =
  /^\s*(?:n\/?a|n\.a\.?|none|null|nil|undefined|unknown|tbd|tba|todo|xxx+|(?:see|as) (?:above|below|before|discussed|mentioned)|same|(?:not|un)[ -]?(?:specified|provided|given|known|available|set)|to be (?:determined|decided|defined)|(?:your|the|my)_\w+|[A-Z_]*_HERE|(?:insert|enter|fill|add) .* here|placeholder|\?+|\.{2,}|…|-+|_+|<.*>|\{+.*\}+|\[[^\]]*\]|%\w*%|\$\w+)\s*$/is

/** True for `N/A`, `<city>`, `YOUR_CITY_HERE`, `see above`. */
export function isPlaceholder(text: string): boolean {
  return text.length <= 80 && placeholder.test(text)
}

/** The same for free text, which may be code, a page or a form: only what is nothing else. */
const textPlaceholder =
  /^(?:n\/a|n\.a\.?|none|null|nil|undefined|tbd|tba|todo|x{3,}|(?:not|un)[ -]?(?:specified|provided|given|set)|to be (?:determined|decided|defined|announced|confirmed)|(?:your|the|my)_\w+|[A-Z][A-Z_]*_HERE|(?:insert|enter|fill in|fill|add|write|your) [^\n]* here|placeholder|lorem ipsum[^\n]*|select 1;?|\?+|\.{3,}|…|_{2,}|<[^<>/=\n]{3,}>|\{\{[^{}\n]+\}\}|\{\p{L}[\p{L}\p{N} _-]+\}|\[\p{L}[\p{L}\p{N} '’_-]{2,}\])$/iu

/** True for a whole text like `TBD`, `<subject>`, `[Your message here]`, `{{name}}`, `SELECT 1`. */
export function standsForText(text: string): boolean {
  return text.length <= 80 && textPlaceholder.test(text.trim())
}

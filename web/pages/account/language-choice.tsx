import { chooseLanguage, chosenLanguage, languages } from '../../base/language.ts'
import { accountWords } from './words.ts'

/** Chooses the app's language on this device. */
export function LanguageChoice() {
  const words = accountWords()
  return (
    <section className="panel" aria-label={words.language}>
      <label>
        {words.language}
        <select
          value={chosenLanguage() ?? ''}
          onChange={(event) => void chooseLanguage(event.target.value || undefined)}
        >
          <option value="">{words.asInBrowser}</option>
          {languages.map((tag) => (
            <option key={tag} value={tag} lang={tag}>
              {new Intl.DisplayNames(tag, { type: 'language' }).of(tag)}
            </option>
          ))}
        </select>
      </label>
    </section>
  )
}

import { byWhy, type Mentioned, type None, type OneOf, type Reading, type Refuses } from '../refuse.ts'
import type { GermanAddress } from '../sentences/german-address.ts'

/** What the end of an answer would say of it. */
export interface Ending {
  said: Mentioned
}
export interface NotAvailable {
  unlisted: { model: string; choices: readonly string[] }
  no_key: { model: string; choices: readonly string[] }
}

export interface ModelRefusals {
  model_not_available: OneOf<NotAvailable>
  model_not_found: { model: string }
  model_not_configured: None
  model_unavailable: Ending
  context_too_long: Ending
  own_key_refused: { provider: string }
  own_key_unused: Ending
  /** Their names, if they are known. */
  tools_do_not_fit: { tools: readonly string[] }
}

const end = ({ said }: Ending, { say }: Reading) => say(said)

/** Language models that may not, or do not, answer. */
export const modelRefusals = {
  en: {
    model_not_available: byWhy<NotAvailable>({
      unlisted: ({ model, choices }) =>
        `${JSON.stringify(model)} is not among the models of this server. Please ${insteadInEnglish(choices)}. A key of your own, in the integration settings, opens every model of its provider.`,
      no_key: ({ model, choices }) =>
        `There is no key for ${JSON.stringify(model)} here. Add one in the integration settings, or ${insteadInEnglish(choices)}.`,
    }),
    model_not_found: ({ model }) =>
      `The model "${model}" is not one of the agents that you can use. A model is the id of an agent; GET models lists them.`,
    model_not_configured: 'No language model is set up for this assistant. Please tell whoever runs it.',
    model_unavailable: end,
    context_too_long: end,
    own_key_refused: ({ provider }) =>
      `Your own API key for ${provider} was refused. Correct or remove it in the integration settings. Until then your messages are answered without it: send this one again.`,
    own_key_unused: end,
    tools_do_not_fit: ({ tools }) =>
      `The stored tools of this agent do not match those of this server${listed(tools)}. Please tell whoever runs it.`,
  } satisfies Refuses<ModelRefusals>,

  de: ({ say }: GermanAddress): Refuses<ModelRefusals> => {
    const instead = (choices: readonly string[]) =>
      choices.length > 0
        ? `${say('wähle', 'wählen Sie')} eines davon: ${choices.join(', ')}`
        : `${say('frag', 'fragen Sie')} den Betreiber`
    return {
      model_not_available: byWhy<NotAvailable>({
        unlisted: ({ model, choices }, { show }) =>
          `${show.value(model) ?? 'Dieses Modell'} steht hier nicht zur Wahl. Bitte ${instead(choices)}. Mit einem eigenen Schlüssel, in den Einstellungen, geht jedes Modell seines Anbieters.`,
        no_key: ({ model, choices }, { show }) =>
          `Für ${show.value(model) ?? 'dieses Modell'} gibt es hier keinen Schlüssel. ${say('Trage', 'Tragen Sie')} in den Einstellungen einen ein, oder ${instead(choices)}.`,
      }),
      model_not_found: ({ model }, { show }) =>
        `Das Modell ${show.value(model) ?? '–'} ist keiner der Agenten, die ${say('du nutzen kannst', 'Sie nutzen können')}. Ein Modell ist die ID eines Agenten; GET models nennt sie.`,
      model_not_configured: `Für diesen Assistenten ist kein Sprachmodell eingerichtet. ${say('Sag', 'Sagen Sie')} es dem Betreiber.`,
      model_unavailable: end,
      context_too_long: end,
      own_key_refused: ({ provider }) =>
        `${say('Dein', 'Ihr')} eigener API-Schlüssel für ${provider} wurde abgelehnt. ${say('Korrigiere oder entferne', 'Korrigieren oder entfernen Sie')} ihn in den Einstellungen. Bis dahin wird ohne ihn geantwortet: ${say('Sende', 'Senden Sie')} die Nachricht noch einmal.`,
      own_key_unused: end,
      tools_do_not_fit: ({ tools }) =>
        `Die gespeicherten Werkzeuge dieses Agenten passen nicht zu denen dieses Servers${listed(tools)}. ${say('Sag', 'Sagen Sie')} es dem Betreiber.`,
    }
  },
}

function listed(tools: readonly string[]): string {
  return tools.length > 0 ? `: ${tools.join(', ')}` : ''
}

function insteadInEnglish(choices: readonly string[]): string {
  return choices.length > 0 ? `choose one of: ${choices.join(', ')}` : 'ask whoever runs this server'
}

import { byWhy, type OneOf, type Refuse, type Refuses } from '../refuse.ts'

/** SQL shows its English words, too (`askback_private.offer_refusal`). */
interface InSql {
  words: string
}
interface Named extends InSql {
  /** With its schema. */
  function: string
}

/** Why the database does not offer a function as a tool. */
export interface NotOffered {
  no_function: InSql
  function_unknown: Named
  schema_unclear: Named
  not_exposed: InSql & { schema: string; exposed: readonly string[] | null }
  not_plain: Named
  trigger: Named
  result_type: Named & { type: string }
  overloaded: Named
  name_unfit: Named
  name_taken: InSql & { tool: string }
  argument_unnamed: Named & { number: number }
  argument_type: Named & { argument: string; type: string }
  comment_unfit: Named & { argument: string }
  schema_denied: InSql & { schema: string }
  function_denied: Named & { signature: string }
  definer: Named
  option_unfit: InSql & { option: string; value: string; known: readonly string[] }
  /** What only SQL can set, or does not understand. */
  other: InSql
}

/** In English, as SQL says it. */
export const notOfferedInEnglish = ({ words }: OneOf<NotOffered>): string => words

export const notOfferedInGerman: Refuse<OneOf<NotOffered>> = byWhy<NotOffered>({
  no_function: 'Diese Funktion gibt es nicht.',
  function_unknown: (one) =>
    `Eine Funktion ${one.function} gibt es nicht. Ihr Name steht mit dem Schema davor, wie public.create_ticket.`,
  schema_unclear: (one) =>
    `Eine Funktion ${one.function} gibt es in mehreren Schemas. Ihr Name steht mit dem Schema davor, wie public.create_ticket.`,
  not_exposed: ({ schema, exposed }) =>
    `Das Schema ${schema} ist in der Data-API nicht freigegeben (${(exposed ?? []).join(', ')}). Entweder kommt die Funktion in eines, das es ist, oder das Schema wird in den API-Einstellungen freigegeben, und danach: insert into askback.exposed_schemas values ('${schema}').`,
  not_plain: (one) =>
    `„${one.function}“ ist eine Prozedur, ein Aggregat oder eine Fensterfunktion. Anbieten lässt sich eine Funktion, die sie aufruft.`,
  trigger: (one) => `„${one.function}“ ist eine Triggerfunktion und lässt sich nicht aufrufen.`,
  result_type: (one) =>
    `„${one.function}“ liefert ${one.type}, was ein Aufruf nicht zurückgeben kann. Sie kann stattdessen Spalten liefern: returns table (…).`,
  overloaded: (one) =>
    `„${one.function}“ gibt es mehrmals mit verschiedenen Argumenten, deshalb ist ein Aufruf mit diesem Namen nicht eindeutig. Sie braucht einen eigenen Namen.`,
  name_unfit: (one) =>
    `„${one.function}“ passt nicht als Name eines Werkzeugs. Erlaubt sind 1 bis 64 Buchstaben, Ziffern, _ und -.`,
  name_taken: ({ tool }) =>
    `Ein Werkzeug ${tool} gibt es schon. Werkzeuge werden nur mit ihrem Namen aufgerufen, deshalb braucht die Funktion einen anderen.`,
  argument_unnamed: (one) =>
    `Das Argument ${one.number} von ${one.function} hat keinen Namen, deshalb kann ein Modell es nicht angeben. Jedes Argument braucht einen.`,
  argument_type: (one) =>
    `Das Argument ${one.argument} von ${one.function} hat den Typ ${one.type}, den ein Aufruf nicht angeben kann.`,
  comment_unfit: (one) =>
    `Der Kommentar von ${one.function} beschreibt ${one.argument}, was keines der Argumente ist.`,
  schema_denied: ({ schema }) =>
    `Angemeldete dürfen das Schema ${schema} nicht benutzen: grant usage on schema ${schema} to authenticated.`,
  function_denied: (one) =>
    `Angemeldete dürfen ${one.function} nicht ausführen: grant execute on function ${one.signature} to authenticated.`,
  definer: (one) =>
    `„${one.function}“ ist security definer: Sie läuft mit den Rechten ihres Eigentümers und umgeht für alle die Row Level Security. Besser ist security invoker; prüft sie selbst, wer was darf, lässt sie sich in SQL mit allow_definer => true anbieten.`,
  option_unfit: ({ option, value, known }) =>
    `„${option}“ kann nicht „${value}“ sein. Möglich: ${known.join(', ')}.`,
  other: ({ words }, { show }) =>
    `Diese Funktion lässt sich nicht anbieten. Die Datenbank sagt: ${show.value(words)}.`,
} satisfies Refuses<NotOffered>)

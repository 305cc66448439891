import { plainLine } from '../quoted-value.ts'
import type { SaidAbout } from '../said.ts'
import type { Subject } from './subject.ts'

/** A server by its host, at the beginning of a sentence. */
function hostIn({ values: { server } }: SaidAbout, otherwise: string): string {
  return typeof server === 'string' && server !== '' ? server : otherwise
}

/** A value, unless there is none. */
function given(value: unknown): string | undefined {
  return value === undefined || value === null || value === '' ? undefined : String(value)
}

/** What is read of an answer. */
const most = (kibibytes: unknown): number => (Number(kibibytes) || 8192) / 1024

type Faults = Readonly<Record<string, (server: string, about: SaidAbout['values']) => string>>

/** Why a server is not used, or not to the end. */
const faults: Readonly<Record<'en' | 'de', Faults>> = {
  en: {
    not_a_url: (server) => `${server} is not a web address. It has to begin with https:// and name a site.`,
    scheme: (server) => `${server} is not used, because its address does not begin with https://.`,
    userinfo: (server) =>
      `${server} is not used with a user name or a password in its address. Give them as a header.`,
    port: (server) => `${server} is only used on 443, the usual port of https.`,
    private: (server) => `${server} is not on the public internet, so it is not used.`,
    redirects: (server) => `${server} redirects too often.`,
    elsewhere: (server, { to }) =>
      `${server} redirects to ${given(to) ?? 'another address'}, where nothing was sent. If that is the right server, use its address.`,
    kind: (server) => `${server} compresses its answers in a way that cannot be read here.`,
    size: (server, { kibibytes }) => `${server} sends more than ${most(kibibytes)} MiB, which is not read.`,
    slow: (server, { seconds }) =>
      `${server} did not answer ${given(seconds) === undefined ? 'in time' : `within ${seconds} s`}.`,
    unreachable: (server) => `${server} cannot be reached.`,
    status: (server, { status }) => `${server} answers with an error (${given(status) ?? 'HTTP'}).`,
    no_mcp: (server) => `${server} does not answer like an MCP server.`,
    endless: (server) => `The list of tools of ${server} never ends.`,
    asks_more: (server) => `${server} wants to use the model or the files of its client, which it may not.`,
    header: (server, { header }) =>
      `${server} was not contacted, because a header cannot be sent${given(header) ? `: ${header}` : ''}. Use a name such as Authorization, and a value in plain letters.`,
    link: (server) => `${server} asks to open a page that does not begin with https://.`,
  },
  de: {
    not_a_url: (server) =>
      `${server} ist keine Webadresse. Sie muss mit https:// beginnen und eine Seite nennen.`,
    scheme: (server) => `${server} wird nicht benutzt, weil die Adresse nicht mit https:// beginnt.`,
    userinfo: (server) =>
      `${server} wird nicht mit einem Namen oder Passwort in der Adresse benutzt; dafür gibt es Header.`,
    port: (server) => `${server} wird nur auf Port 443 benutzt, dem üblichen von https.`,
    private: (server) => `${server} ist nicht im öffentlichen Internet und wird nicht benutzt.`,
    redirects: (server) => `${server} leitet zu oft weiter.`,
    elsewhere: (server, { to }) =>
      `${server} leitet Anfragen an ${given(to) ?? 'eine andere Adresse'} weiter; dorthin wurde nichts geschickt. Wenn das der richtige Server ist, gehört seine Adresse hierher.`,
    kind: (server) => `${server} komprimiert seine Antworten so, dass sie hier nicht gelesen werden können.`,
    size: (server, { kibibytes }) =>
      `${server} schickt mehr als ${most(kibibytes)} MiB; das wird nicht gelesen.`,
    slow: (server, { seconds }) =>
      `${server} hat nicht ${given(seconds) === undefined ? 'rechtzeitig' : `innerhalb von ${seconds} s`} geantwortet.`,
    unreachable: (server) => `${server} ist nicht erreichbar.`,
    status: (server, { status }) => `${server} antwortet mit einem Fehler (${given(status) ?? 'HTTP'}).`,
    no_mcp: (server) => `${server} antwortet nicht wie ein MCP-Server.`,
    endless: (server) => `Die Liste der Werkzeuge von ${server} hat kein Ende.`,
    asks_more: (server) => `${server} will das Sprachmodell oder Dateien benutzen und darf das nicht.`,
    header: (server, { header }) =>
      `${server} wurde nicht angesprochen, weil sich ein Header nicht senden lässt${given(header) ? `: ${header}` : ''}. Ein Name wie Authorization und ein Wert aus einfachen Zeichen gehen.`,
    link: (server) => `${server} will eine Seite öffnen lassen, die nicht mit https:// beginnt.`,
  },
}

type SignIns = Readonly<Record<string, (server: string | undefined) => string>>

/** Why nobody was signed in. */
const signIns: Readonly<Record<'en' | 'de', SignIns>> = {
  en: {
    page: (server = 'this server') =>
      `The sign-in page of ${server} does not begin with https://, so it was not opened.`,
    issuer: (server = 'The server') =>
      `${server} sends people to sign in at an address that claims to be another one, so nobody was sent there.`,
    resource: (server = 'The server') => `${server} says that it is another server, so nobody was signed in.`,
    refused: (server = 'this server') => `The sign-in at ${server} was refused. Start it again.`,
    unknown: () => 'This sign-in has expired or was already used. Start it again.',
    not_offered: (server = 'The server') => `${server} does not say how to sign in there.`,
  },
  de: {
    page: (server = 'diesem Server') =>
      `Die Anmeldeseite von ${server} beginnt nicht mit https:// und wurde nicht geöffnet.`,
    issuer: (server = 'Der Server') =>
      `${server} verweist zum Anmelden auf eine Adresse, die sich als eine andere ausgibt; dorthin wurde niemand geschickt.`,
    resource: (server = 'Der Server') =>
      `${server} gibt sich als anderer Server aus, deshalb wurde niemand angemeldet.`,
    refused: (server = 'diesem Server') =>
      `Die Anmeldung bei ${server} wurde abgelehnt. Sie lässt sich neu beginnen.`,
    unknown: () => 'Diese Anmeldung ist abgelaufen oder schon benutzt. Sie lässt sich neu beginnen.',
    not_offered: (server = 'Der Server') => `${server} sagt nicht, wie man sich dort anmeldet.`,
  },
}

function saySignIn({ values: { server, why } }: SaidAbout, language: 'en' | 'de'): string {
  const say = signIns[language][String(why)] ?? signIns[language].refused
  return say?.(given(server)) ?? ''
}

function sayFault(about: SaidAbout, language: 'en' | 'de', otherwise: string): string {
  const { values } = about
  const say = faults[language][String(values.why)] ?? faults[language].unreachable
  return say?.(hostIn(about, otherwise), values) ?? ''
}

/** The words around those of a server. */
interface Asks {
  page: (host: string) => string
  asks: string
  something: string
  quote: readonly [string, string]
}

/** Who asks, and its words as a quotation that they cannot close. */
function asks(server: string, { values: { message, page } }: SaidAbout, say: Asks): string {
  const text = plainLine(given(message) ?? '')
  const host = given(page)
  const what = host === undefined ? say.asks : say.page(host)
  if (text === '') return `${server} ${host === undefined ? say.something : `${what}.`}`
  return `${server} ${what}: ${say.quote[0]}${text}${say.quote[1]}`
}

/** The title of a field that was not filled in as the server wants it. */
function unfit({ values }: SaidAbout, say: (field: string) => string): string {
  const field = plainLine(given(values.unfit) ?? '')
  return field === '' ? '' : say(field)
}

function joined(...sentences: string[]): string {
  return sentences.filter((one) => one !== '').join(' ')
}

/** Why the user is not asked what a server asks. */
const whyUnasked: Readonly<Record<'en' | 'de', Readonly<Record<string, (server: string) => string>>>> = {
  en: {
    size: (server) => `${server} has a question that is too long to be kept, so nobody was asked.`,
    fields: (server) => `${server} asks for too many values at once, so nobody was asked.`,
    secret: (server) =>
      `${server} asks for a password or a code. Nobody should enter one here, so nobody was asked.`,
    shape: (server) => `${server} has a question that no form can show, so nobody was asked.`,
  },
  de: {
    size: (server) =>
      `${server} hat eine Frage, die zum Aufbewahren zu lang ist. Deshalb wurde niemand gefragt.`,
    fields: (server) => `${server} fragt nach zu vielen Angaben auf einmal. Deshalb wurde niemand gefragt.`,
    secret: (server) =>
      `${server} fragt nach einem Passwort oder Code. Das gehört nicht hierher, deshalb wurde niemand gefragt.`,
    shape: (server) =>
      `${server} hat eine Frage, die sich in keinem Formular zeigen lässt. Deshalb wurde niemand gefragt.`,
  },
}

function unasked(about: SaidAbout, language: 'en' | 'de', otherwise: string): string {
  const say = whyUnasked[language][String(about.values.why)] ?? whyUnasked[language].shape
  return say?.(hostIn(about, otherwise)) ?? ''
}

/** Servers of MCP that somebody has added. */
export const servers = {
  en: {
    server_unusable: (about) => sayFault(about, 'en', 'The server'),
    server_sign_in: (about) => `Please sign in at ${hostIn(about, 'the server')} first.`,
    server_gone: (about) =>
      `${hostIn(about, 'Its server')} no longer offers this here: it was removed or switched off, so nothing was done.`,
    server_sign_in_failed: (about) => saySignIn(about, 'en'),
    server_asks: (about) => ({
      asked: asks(hostIn(about, 'The server'), about, {
        page: (page) => `asks to open a page of ${page}`,
        asks: 'asks',
        something: 'has a question before it continues.',
        quote: ['"', '"'],
      }),
      hint: joined(
        unfit(about, (field) => `“${field}” does not fit yet.`),
        'Never enter passwords or codes here.',
      ),
    }),
    server_question_unfit: (about) => unasked(about, 'en', 'The server'),
    server_cannot_wait: (about) =>
      `${hostIn(about, 'The server')} asked something in the middle of this and cannot wait for an answer, so it was told that there is none.`,
  },
  de: {
    server_unusable: (about) => sayFault(about, 'de', 'Der Server'),
    server_sign_in: (about) => `Dafür ist eine Anmeldung bei ${hostIn(about, 'diesem Server')} nötig.`,
    server_gone: (about) =>
      `${hostIn(about, 'Der Server dazu')} ist nicht mehr verbunden, oder das Werkzeug wurde abgeschaltet. Es wurde nichts getan.`,
    server_sign_in_failed: (about) => saySignIn(about, 'de'),
    server_asks: (about) => ({
      asked: asks(hostIn(about, 'Der Server'), about, {
        page: (page) => `möchte, dass eine Seite von ${page} geöffnet wird`,
        asks: 'fragt',
        something: 'hat eine Frage, bevor es weitergeht.',
        quote: ['„', '“'],
      }),
      hint: joined(
        unfit(about, (field) => `„${field}“ passt noch nicht.`),
        'Passwörter und Codes gehören nie hierher.',
      ),
    }),
    server_question_unfit: (about) => unasked(about, 'de', 'Der Server'),
    server_cannot_wait: (about) =>
      `${hostIn(about, 'Der Server')} hat mittendrin etwas gefragt und kann nicht auf eine Antwort warten; ihm wurde gesagt, dass keine kommt.`,
  },
} satisfies Subject<
  | 'server_unusable'
  | 'server_sign_in'
  | 'server_gone'
  | 'server_sign_in_failed'
  | 'server_asks'
  | 'server_question_unfit'
  | 'server_cannot_wait'
>

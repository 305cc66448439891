import { byWhy, type None, type OneOf, type Refuses } from '../refuse.ts'
import type { GermanAddress } from '../sentences/german-address.ts'
import { type Unfit, unfitInEnglish } from './unfit.ts'

export interface NoAgent {
  one: None
  of_token: None
}
export interface NoMessage {
  any: None
  before: None
  answer: None
}
export interface NotPermitted {
  tool: { tool: string }
  question: None
}
export interface StillRunning {
  answer: None
  write: None
}

export interface ConversationRefusals {
  agent_not_found: OneOf<NoAgent>
  conversation_not_found: None
  message_not_found: OneOf<NoMessage>
  run_not_found: None
  item_not_found: None
  approval_id_missing: Unfit
  already_decided: None
  not_an_approver: None
  not_as_asked: None
  pattern_too_wide: { domain: string; addresses?: readonly string[] | undefined }
  pattern_does_not_fit: { pattern: string; addresses?: readonly string[] | undefined }
  permission_not_possible: OneOf<NotPermitted>
  permission_not_found: None
  too_many_permissions: None
  schedule_not_found: None
  schedule_never_due: { cron: string }
  schedule_open: None
  too_many_schedules: None
  nothing_pending: None
  not_due: None
  still_running: OneOf<StillRunning>
  conversation_busy: None
  not_running: { status: string }
  stale: None
  cannot_continue: None
  too_many_readers: { most: number }
  interrupted: { isRepeated: boolean }
}

/** Conversations, runs and decisions that are not there, or take nothing now. */
export const conversationRefusals = {
  en: {
    agent_not_found: byWhy<NoAgent>({
      one: 'You have no such agent.',
      of_token: 'You have no agent with one of these ids.',
    }),
    conversation_not_found: 'You have no conversation with this id.',
    message_not_found: byWhy<NoMessage>({
      any: 'This conversation has no such message.',
      before: 'The conversation has no message with the id in "before". Read it from its newest one.',
      answer: 'There is no answer with this id in the conversation.',
    }),
    run_not_found: 'There is no run with this id.',
    item_not_found: 'Nothing in this conversation has that id. Take it from "pending".',
    approval_id_missing: unfitInEnglish,
    // Said wherever it is decided, also where a conversation cannot be reloaded.
    already_decided: 'It was decided differently, or asked again. The conversation shows the result.',
    not_an_approver:
      'Somebody else has to approve this, as the card says, so nothing was approved. You can deny it.',
    not_as_asked:
      'What others approve is approved or denied as it was asked: it can’t be edited or kept as a draft. Deny it, and say what should be different.',
    pattern_too_wide: ({ domain, addresses }) =>
      `Everybody can have an address at ${domain}. Allow ${addresses?.join(' or ') ?? 'the exact address'} instead.`,
    pattern_does_not_fit: ({ pattern, addresses }) =>
      `"${pattern}" doesn’t cover ${addresses?.join(', ') ?? 'what was entered'}. Change it so that it covers every recipient, or approve only this call.`,
    permission_not_possible: byWhy<NotPermitted>({
      tool: ({ tool }) => `"${tool}" does not send anything to an address. Approve without "remember".`,
      question: 'No standing permission can be given with this question. Approve without "remember".',
    }),
    permission_not_found: 'You have no permission with this id.',
    too_many_permissions: 'This agent has 200 standing permissions. Revoke some of them first.',
    schedule_not_found: 'You have no schedule with this id.',
    schedule_never_due: ({ cron }) =>
      `"${cron}" would never be due. Send a cron expression with a time in the future, such as "0 9 * * 1-5", and an end after it.`,
    schedule_open:
      'The last run of this schedule is still at work, or waits for you. Finish it in its conversation, then run it again.',
    too_many_schedules: 'You have 100 schedules. Delete some of them first.',
    nothing_pending: 'Nothing in this conversation is waiting for that.',
    not_due: 'It is not time to continue yet.',
    still_running: byWhy<StillRunning>({
      answer: 'The answer is still being written. Ask for the conversation in a minute.',
      write:
        'Something is still being sent for you, so your account was not deleted. Everything else was stopped. Try again in a minute.',
    }),
    conversation_busy:
      'Another answer is still being written here, so this has not been done yet. Try again in a minute.',
    not_running: ({ status }) => `This run is over (${status}): there is nothing to stop.`,
    stale: 'The connection was changed in the meantime. Load it again.',
    cannot_continue:
      'This can no longer be continued, because the assistant has changed since. Send your message again.',
    too_many_readers: ({ most }) =>
      `This answer is open in ${most} places already. Close one of them, then try again.`,
    interrupted: ({ isRepeated }) =>
      isRepeated
        ? 'The answer was interrupted several times. Send the message again in a minute.'
        : 'The answer was interrupted. Send the message again.',
  } satisfies Refuses<ConversationRefusals>,

  de: ({ say }: GermanAddress): Refuses<ConversationRefusals> => {
    const inAMinute = `${say('Versuche', 'Versuchen Sie')} es in einer Minute noch einmal.`
    const reload = say('Lade', 'Laden Sie')
    const send = say('Sende', 'Senden Sie')
    return {
      agent_not_found: byWhy<NoAgent>({
        one: 'Diesen Agenten gibt es nicht.',
        of_token: 'Einen dieser Agenten gibt es nicht.',
      }),
      conversation_not_found: 'Diese Unterhaltung gibt es nicht.',
      message_not_found: 'Diese Nachricht gibt es nicht.',
      run_not_found: 'Diesen Lauf gibt es nicht.',
      item_not_found: `Das ist nicht mehr offen. ${reload} die Unterhaltung neu.`,
      approval_id_missing:
        'Der Entscheidung fehlt die „approvalId“ der Frage, zu der sie gehört; sie steht in „pending“.',
      already_decided: 'Darüber wurde schon anders entschieden, oder es wurde neu gefragt.',
      not_an_approver: `Das muss jemand anderes freigeben, wie es auf der Karte steht. Es wurde nichts freigegeben; ablehnen ${say('kannst du', 'können Sie')} es.`,
      not_as_asked: `Was andere freigeben, wird so freigegeben oder abgelehnt, wie gefragt wurde; ändern oder als Entwurf behalten lässt es sich nicht. ${say('Lehne', 'Lehnen Sie')} es ab, und ${say('sag', 'sagen Sie')}, was anders sein soll.`,
      pattern_too_wide: ({ domain, addresses }, { show }) =>
        `Bei ${show.value(domain) ?? 'dieser Domain'} kann jeder eine Adresse haben. ${say('Erlaube', 'Erlauben Sie')} stattdessen ${addresses === undefined ? 'die genaue Adresse' : show.list(addresses)}.`,
      pattern_does_not_fit: ({ pattern, addresses }, { show }) =>
        `${show.value(pattern) ?? 'Diese Erlaubnis'} passt nicht zu ${addresses === undefined ? 'dem, was eingegeben wurde' : show.list(addresses)}. ${say('Ändere', 'Ändern Sie')} die Erlaubnis, oder ${say('gib', 'geben Sie')} es nur dieses eine Mal frei.`,
      permission_not_possible: 'Dafür wird immer gefragt.',
      permission_not_found: 'Diese Erlaubnis gibt es nicht mehr.',
      schedule_not_found: 'Diesen Zeitplan gibt es nicht mehr.',
      schedule_never_due: ({ cron }, { show }) =>
        `Nach ${show.value(cron) ?? 'diesem Zeitplan'} käme nie eine Zeit. ${say('Gib', 'Geben Sie')} eine Zeit in der Zukunft an, und ein Ende danach.`,
      schedule_open: `Der letzte Lauf ist noch nicht fertig oder wartet auf ${say('dich', 'Sie')}. ${say('Schließe', 'Schließen Sie')} ihn erst in seiner Unterhaltung ab.`,
      too_many_schedules: `${say('Du hast', 'Sie haben')} 100 Zeitpläne. ${say('Lösche', 'Löschen Sie')} erst einige davon.`,
      too_many_permissions: `Dieser Agent hat 200 Erlaubnisse. ${say('Widerrufe', 'Widerrufen Sie')} erst einige davon.`,
      nothing_pending: 'Hier ist nichts mehr offen.',
      not_due: 'Es ist noch zu früh dafür.',
      still_running: byWhy<StillRunning>({
        answer: `Hier wird noch gearbeitet. ${say('Warte', 'Warten Sie')}, bis es fertig ist.`,
        write: `Für ${say('dich', 'Sie')} wird gerade noch etwas gesendet, deshalb wurde ${say('dein', 'Ihr')} Konto nicht gelöscht. Alles andere ist gestoppt. ${inAMinute}`,
      }),
      conversation_busy: `Hier wird noch eine andere Antwort geschrieben, deshalb ist noch nichts passiert. ${inAMinute}`,
      not_running: 'Hier wird gerade nicht gearbeitet.',
      stale: `Das hat sich inzwischen geändert. ${reload} die Seite neu.`,
      cannot_continue: `Hier geht es nicht weiter, weil sich der Assistent inzwischen geändert hat. ${send} ${say('deine', 'Ihre')} Nachricht noch einmal.`,
      too_many_readers: ({ most }) =>
        `Diese Antwort ist schon an ${most} Stellen offen. ${say('Schließe', 'Schließen Sie')} eine davon, und ${say('versuche', 'versuchen Sie')} es noch einmal.`,
      interrupted: `Die Antwort wurde unterbrochen. ${send} die Nachricht noch einmal.`,
    }
  },
}

import { smtpSendEmail } from '../../supabase/functions/smtp-api/integration.ts'

/** What a mail without an address asks: its words are pinned in `tests/unit/integrations/catalogue.test.ts`. */
export const recipientQuestion = String(smtpSendEmail.specification.parameters.properties?.to?.question)

interface Sentence {
  /** Its meaning for people. */
  says: string
  /** Names of the values that it can have. */
  values?: readonly string[]
  /** Of these, those without which it says only its meaning. */
  needs?: readonly string[]
}

/** The values of every question about a value. `question` and `hint` are the tool author's own words. */
const about = [
  'tool',
  'toolName',
  'field',
  'parameter',
  'question',
  'hint',
  'label',
  'isFlag',
  'choices',
  'description',
  'expected',
  'also',
  'needed',
] as const
/** The values of a call that waits for approval. */
const call = ['tool', 'toolName', 'known', 'besides', 'answered'] as const
const earlier = ['at', 'timeZone', 'isDone', 'isSecond', 'input'] as const
/** And of one that a standing permission covers. */
const again = [...call, ...earlier, 'isPermitted'] as const
/** Why a call failed. */
const failure = [
  'tool',
  'toolName',
  'field',
  'parameter',
  'question',
  'hint',
  'unfit',
  'reason',
  'isWhole',
  'thing',
  'retryAfterMs',
  'isAsked',
  'words',
] as const
const connection = ['provider'] as const
const titled = ['tool', 'toolName'] as const
/** Why a function of the app refused a call. */
const appValues = [...titled, 'parameter', 'field', 'value', 'places', 'sent', 'rule', 'isWrite'] as const
const server = ['host', 'port'] as const

/**
 * Every sentence of ours for people, by code, so that clients can translate it. Add a new sentence here first,
 * and run `npx tsx scripts/sentences.ts`, which writes `docs/sentences.md`.
 */
export const sentences = {
  // Questions of a form.
  value_missing: { says: 'A value is missing.', values: about },
  value_unfit: {
    says: 'A value is not valid.',
    values: [...about, 'unfit', 'fault', 'limit', 'value', 'type', 'format', 'example'],
  },
  value_not_said: {
    says: 'A value has to come from the user, who has not given it.',
    values: [...about, 'value'],
  },
  value_not_taken: {
    says: 'The tool was given something that it does not accept.',
    values: ['tool', 'toolName'],
    needs: ['tool'],
  },
  document_not_found: { says: 'The document does not exist, or cannot be opened here.' },
  emails_not_found: { says: 'The emails are no longer in the mailbox.' },
  tool_asks: {
    says: 'A tool asks, in its own words.',
    values: ['tool', 'words', 'hint', 'help'],
    needs: ['tool', 'words'],
  },
  tool_says: {
    says: 'A tool says, in its own words.',
    values: ['tool', 'words', 'hint', 'help'],
    needs: ['tool', 'words'],
  },

  // What our own tools ask and tell.
  account_unclear: { says: 'Several accounts could be meant.', values: ['accounts'], needs: ['accounts'] },
  account_not_connected: {
    says: 'It is not one of the connected accounts.',
    values: ['from', 'accounts'],
    needs: ['from', 'accounts'],
  },
  address_unknown: {
    says: 'The mail server does not know an address.',
    values: ['address', 'reason', 'refusedValue'],
    needs: ['address'],
  },
  address_unsupported: {
    says: 'The mail server cannot deliver to such an address.',
    values: ['host', 'refusedValue'],
    needs: ['host'],
  },
  mailbox_full: {
    says: 'The mailbox of a recipient is full.',
    values: ['address', 'reason', 'refusedValue'],
    needs: ['address'],
  },
  file_not_found: { says: 'The user has no such file.' },
  files_too_large: {
    says: 'The files are too large for one email.',
    values: ['mebibytes'],
    needs: ['mebibytes'],
  },
  email_too_large: {
    says: 'The email is larger than the mail server accepts.',
    values: ['host'],
    needs: ['host'],
  },
  attachment_too_large: {
    says: 'A file is too large to attach.',
    values: ['file', 'mebibytes'],
    needs: ['file', 'mebibytes'],
  },
  emails_too_large: { says: 'The emails are too large to be read at once.' },
  email_refused: { says: 'The mail server refused the email.', values: ['host', 'reason'], needs: ['host'] },
  mail_server_unavailable: {
    says: 'The mail server cannot take the email right now.',
    values: ['host', 'port', 'what', 'reason', 'isSending'],
    needs: ['host'],
  },
  sending_limit_reached: {
    says: 'The mail account has reached its sending limit.',
    values: ['host', 'reason'],
  },
  gmail_quota_reached: { says: 'A limit of Gmail has been reached.', values: ['isForSending'] },
  service_not_switched_on: {
    says: 'A Google service is not enabled for this app.',
    values: ['service'],
    needs: ['service'],
  },
  gmail_not_allowed: { says: 'The organization does not allow this app to use Gmail.' },
  account_without_gmail: { says: 'The Google account has no Gmail.' },
  label_exists: { says: 'There is already a label with this name.', values: ['label'], needs: ['label'] },
  label_not_found: {
    says: 'There is no such label.',
    values: ['label', 'labels'],
    needs: ['label', 'labels'],
  },
  document_full: { says: 'The document would become too long.' },
  document_too_large: { says: 'The document is too large to be read.' },
  document_being_edited: { says: 'Somebody else is changing the document right now.' },
  document_not_changed: { says: 'Google did not accept the change.' },
  text_not_in_document: {
    says: 'The document does not contain the text.',
    values: ['find', 'spellings', 'isInTab'],
    needs: ['find'],
  },
  text_in_chip: {
    says: 'Part of the text is a smart chip of Google Docs, which cannot be replaced.',
    values: ['find'],
    needs: ['find'],
  },
  tab_not_found: { says: 'The document has no such tab.', values: ['tab', 'tabs'] },
  tab_unclear: {
    says: 'The text is in several tabs, or several tabs have this title.',
    values: ['find', 'tab', 'tabs'],
    needs: ['tabs'],
  },
  document_read_only: { says: 'The document is read-only.' },
  nothing_to_restore: { says: 'There is no earlier version of the document.' },
  version_not_found: { says: 'The document has no such version.', values: ['versions'], needs: ['versions'] },
  versions_at_google: { says: 'Only Google can restore earlier versions of the document.' },
  sharing_needs_google: { says: 'A built-in document cannot be shared.' },
  times_never_come: {
    says: 'The cron expression of a schedule would never be due.',
    values: ['cron'],
    needs: ['cron'],
  },
  time_zone_unknown: { says: 'There is no such time zone.', values: ['timeZone'], needs: ['timeZone'] },
  no_such_schedule: { says: 'There is no such schedule.' },
  schedules_full: {
    says: 'The user has as many schedules as are possible.',
    values: ['most'],
    needs: ['most'],
  },

  // Mails about what waits.
  digest_subject: { says: 'The subject of a mail about what waits.', values: ['count'], needs: ['count'] },
  digest_reminder: {
    says: 'The subject of a mail that is a reminder of what waits.',
    values: ['count'],
    needs: ['count'],
  },
  digest_since: {
    says: 'The agent that asks, for whom, if a group of the reader’s approves it, and since when.',
    values: ['agent', 'person', 'at'],
    needs: ['at'],
  },
  digest_more: { says: 'How much more waits than the mail names.', values: ['count'], needs: ['count'] },
  digest_why: { says: 'Why the mail was sent.' },
  digest_end: { says: 'Where to end such mails.', values: ['address'], needs: ['address'] },

  // Approvals.
  approve: { says: 'Calls of this kind always wait for approval.', values: call },
  approve_spent: {
    says: 'A standing permission covers it, but has been used as often as it allows.',
    values: [...call, 'pattern', 'max', 'per'],
  },
  approve_destructive: {
    says: 'It deletes or overwrites something, and the model has read something from outside.',
    values: call,
  },
  approve_outside: {
    says: 'The model has read something from outside, and nothing in the call was typed by the user.',
    values: call,
  },
  approve_outside_addresses: {
    says: 'The model has read something from outside, and the call contains web addresses that the user did not write.',
    values: [...call, 'addresses'],
  },
  approve_way_out: {
    says: 'A server of MCP would be sent values that the user did not say, and the model has read something private elsewhere.',
    values: [...call, 'sent', 'privateRead'],
  },
  approve_origin: {
    says: 'Some values do not come from the user.',
    values: [...call, 'origins'],
  },
  approve_addresses: {
    says: 'The call would read web addresses that the user did not name.',
    values: [...call, 'addresses', 'origins', 'sites', 'privateRead', 'others', 'isReading'],
  },
  approve_yes: {
    says: 'The tool asked, and only the model said yes.',
    values: [...call, 'asker', 'words', 'asks'],
  },
  approve_again: { says: 'The same thing was done before.', values: again },
  approve_as_well: {
    says: 'Something was done for the same recipients before, perhaps in other words.',
    values: again,
  },
  approve_after_unknown: { says: 'The same thing may have been done before.', values: again },
  still_waiting: {
    says: 'Another call of the tool still waits for the user.',
    values: [...call, 'input'],
  },
  changed: {
    says: 'It is asked again: what an approval relied on has changed, or it failed or was denied before.',
    values: ['changed'],
  },
  no_draft: { says: 'It cannot be saved as a draft.' },
  waits_for_group: {
    says: 'A group of the project decides it, and the user is not in it.',
    values: ['group'],
    needs: ['group'],
  },
  decided_for_group: {
    says: 'The reader decides it for a group of the project.',
    values: ['group'],
    needs: ['group'],
  },
  takes_two: {
    says: 'It takes two people: the user and one of a group.',
    values: ['group', 'isYours'],
    needs: ['group'],
  },
  approved_by_one: {
    says: 'One of two people has approved it.',
    values: ['group', 'name', 'waitsFor'],
    needs: ['group', 'waitsFor'],
  },
  approved_elsewhere: {
    says: 'Calls of the tool are approved by a group of the project, so it only runs in conversations.',
  },
  outcome_unknown: {
    says: 'It may have been done, but no confirmation came. In a question: whether to do it again.',
    values: [...call, ...earlier, 'words', 'how', 'subject', 'people', 'isMissing', 'why', 'whyValues'],
  },

  // Connections.
  connection_missing: {
    says: 'An account or a key is missing.',
    values: [
      ...connection,
      'providerId',
      'service',
      'purpose',
      'others',
      'isKey',
      'fields',
      'tool',
      'toolName',
    ],
    needs: ['provider'],
  },
  permission_missing: {
    says: 'The connection does not allow this.',
    values: [...connection, 'tool', 'toolName'],
    needs: ['provider'],
  },
  tool_not_permitted: {
    says: 'The connection was not given a permission that the tool, or one of its actions, needs.',
    values: [...connection, ...titled, 'parameter', 'value'],
    needs: ['provider', 'tool'],
  },
  connection_unusable: {
    says: 'The connection is incomplete or incorrect.',
    values: [...connection, 'service', 'why', 'whyValues'],
    needs: ['provider'],
  },
  connection_refused: {
    says: 'The provider rejects the stored credentials.',
    values: [...connection, 'host', 'refused', 'reason'],
  },
  key_refused: {
    says: 'The provider rejects the key.',
    values: [...connection, 'isNew'],
    needs: ['provider'],
  },
  sign_in_again: {
    says: 'The sign-in has expired or was withdrawn.',
    values: connection,
    needs: ['provider'],
  },
  secret_corrupted: {
    says: 'A stored secret can no longer be read.',
    values: [...connection, 'field'],
    needs: ['provider'],
  },
  secrets_locked: { says: 'The server lacks the key for stored secrets.' },
  sign_in_not_set_up: {
    says: 'Signing in with the provider is not set up here.',
    values: connection,
    needs: ['provider'],
  },
  sign_in_being_renewed: { says: 'The sign-in is being renewed.', values: connection, needs: ['provider'] },

  // Why a connection is incomplete or incorrect.
  field_unfit: { says: 'A field is empty or not valid.', values: ['field'], needs: ['field'] },
  key_unfit: { says: 'The key is empty, or contains a space or a character that no key has.' },
  address_not_known: { says: 'The address of the account is not known.' },
  host_missing: {
    says: 'No mail server was given, and none is known for this user name.',
    values: ['user'],
    needs: ['user'],
  },
  host_unknown: { says: 'There is no mail server with this name.', values: server, needs: ['host'] },
  host_private: { says: 'The mail server is in a private network.', values: server, needs: ['host'] },
  port_blocked: { says: 'Hosted functions cannot use the port.', values: server, needs: ['host', 'port'] },
  not_encrypted: {
    says: 'The mail server offers no encrypted connection on the port.',
    values: server,
    needs: ['host', 'port'],
  },
  certificate_not_trusted: {
    says: 'The certificate of the mail server cannot be trusted.',
    values: server,
    needs: ['host'],
  },
  no_sign_in: {
    says: 'The mail server offers no sign-in on the port.',
    values: server,
    needs: ['host', 'port'],
  },
  sender_missing: {
    says: 'There is no sender address, and the user name is not one.',
    values: ['user'],
    needs: ['user'],
  },
  sender_unfit: { says: 'The sender is not an address.', values: ['problem'] },
  sender_refused: { says: 'The mail server does not accept the sender.', values: server, needs: ['host'] },

  // Waits that end by themselves.
  wait_for_tool: {
    says: 'A tool is not available right now and will be tried again.',
    values: ['tool', 'toolName', 'why', 'whyValues'],
    needs: ['tool'],
  },
  wait_budget: {
    says: 'A limit has been reached: of the user, the agent or everybody together, on models or on changes.',
    values: ['scope', 'measure', 'per', 'limit', 'tool', 'resumeAt', 'canWait'],
  },
  wait_budget_reserved: {
    says: 'What is left of a limit is reserved for answers that are still being written.',
    values: ['scope', 'measure', 'per', 'limit', 'resumeAt', 'canWait'],
  },
  wait_time: { says: 'It is taking longer than one run may.' },

  // Why a call failed: the types of tool errors.
  missing_parameter: { says: 'Something is missing.', values: failure },
  invalid_type: { says: 'A value has the wrong type.', values: failure },
  invalid_value: { says: 'A value is wrong.', values: failure },
  unknown_parameter: { says: 'Something was given that the tool does not know.', values: failure },
  malformed_arguments: { says: 'The call could not be read.' },
  tool_not_found: { says: 'No tool here can do this.' },
  not_found: { says: 'Something that was named does not exist.', values: failure },
  conflict: { says: 'It conflicts with something that exists or has changed.', values: failure },
  rate_limit_exceeded: { says: 'The service accepts no more calls at the moment.', values: failure },
  timeout: { says: 'There was no answer in time.', values: failure },
  unavailable: { says: 'The service cannot be reached.', values: failure },
  not_configured: { says: 'Something has to be set up.', values: failure },
  authentication_error: { says: 'The service rejects the credentials.', values: failure },
  permission_denied: { says: 'The service does not permit it.', values: failure },
  quota_exceeded: { says: 'A limit of the plan or account has been reached.', values: failure },
  approval_denied: { says: 'The user did not approve it.', values: failure },
  cancelled: { says: 'It was stopped before it was done.', values: failure },
  execution_error: { says: 'It failed.', values: failure },

  // Why a call was not carried out, or not to its end.
  run_stopped: { says: 'The user stopped it before it was done.' },
  call_stopped: { says: 'It was stopped before it ran.' },
  call_cancelled: { says: 'It was cancelled before it ran.' },
  call_not_done: { says: 'It was not carried out.' },
  call_running: { says: 'It is still running.' },
  call_fault: { says: 'A bug kept it from being carried out.' },
  call_not_recorded: { says: 'It was not carried out, because it could not be recorded.' },
  call_twice: { says: 'The model made the same call twice, and it was carried out once.' },
  read_failed: { says: 'Another call of the same answer failed.', values: titled },
  never_called: { says: 'The model began its answer again before this was a call.' },
  tool_gone: { says: 'The agent no longer has the tool.' },
  tool_late: { says: 'The tool did not answer in time.', values: [...titled, 'seconds'] },
  tool_unreached: { says: 'The connection to the tool was lost, and it did nothing.', values: titled },
  tool_held_back: { says: 'The functions of the project call each other too often.', values: titled },
  tool_not_deployed: { says: 'The function of the tool is not deployed.', values: titled },
  tool_not_started: { says: 'The function of the tool does not start.', values: titled },
  tool_unreadable: { says: 'The answer of the tool is not readable.', values: titled },
  tool_failed_first: { says: 'The tool failed before it did anything.', values: titled },
  tool_switched_off: { says: 'An operator has switched the tool off.', values: [...titled, 'reason'] },
  session_ended: { says: 'The user is no longer signed in.' },
  user_away: { says: 'The server cannot act for users who are away.' },
  database_away: { says: 'The database cannot be reached.' },
  provider_unreadable: { says: 'The answer of a provider is not readable.', values: connection },
  provider_misconfigured: { says: 'The sign-in with a provider is not set up correctly.' },
  key_not_tested: { says: 'A key could not be tested.', values: connection },
  connection_not_tested: {
    says: 'A connection cannot be tested, because its function does not answer.',
    values: [...connection, 'function', 'isDeployed'],
  },
  base_url_missing: { says: 'A tool has no usable base URL.', values: ['base'] },
  server_unusable: {
    says: 'A server of MCP is not used, or does not answer.',
    values: ['server', 'why', 'to', 'status', 'seconds', 'kibibytes', 'header'],
  },
  server_sign_in: { says: 'Somebody has to sign in at a server of MCP.', values: ['server'] },
  server_gone: { says: 'A server of MCP, or this tool of it, is no longer connected.', values: ['server'] },
  server_sign_in_failed: { says: 'Nobody was signed in at a server of MCP.', values: ['server', 'why'] },
  server_asks: { says: 'A server of MCP asks something.', values: ['server', 'message', 'page', 'unfit'] },
  server_question_unfit: {
    says: 'What a server of MCP asks cannot be asked here.',
    values: ['server', 'why'],
  },
  server_cannot_wait: { says: 'A server of MCP cannot wait for an answer.', values: ['server'] },
  app_database_away: { says: 'The database of the app cannot be reached.', values: titled },
  app_function_outdated: { says: 'A function of the app is no longer as it was offered.', values: titled },
  app_function_unusable: {
    says: 'A function of the app is gone, was changed or may not be used.',
    values: [...titled, 'problem'],
  },
  app_function_failed: { says: 'A function of the app failed.', values: [...titled, 'isWrite'] },
  app_function_writes: {
    says: 'A function of the app that should only read tried to write.',
    values: [...titled, 'isWrite'],
  },
  app_function_late: { says: 'A function of the app took too long.', values: [...titled, 'isWrite'] },
  app_function_busy: { says: 'The database of the app was too busy.', values: [...titled, 'isWrite'] },
  app_look_failed: { says: 'What a call of the app depends on could not be read.', values: titled },
  app_value_refused: { says: 'The app does not accept a value.', values: appValues },
  app_nothing_found: { says: 'There is no such thing in the app.', values: appValues },
  app_still_used: { says: 'It is still used elsewhere in the app.', values: appValues },
  app_already_there: { says: 'There is already one like that in the app.', values: appValues },
  app_not_permitted: { says: 'The account may not do that in the app.', values: appValues },

  // The tools of a server, as it lists them.
  foreign_tools_unreadable: { says: 'A server’s list of tools cannot be read.' },
  foreign_tools_too_many: { says: 'A server has too many tools.', values: ['count', 'most'] },
  foreign_tools_more_notes: { says: 'There is more to say about its tools.', values: ['count'] },
  foreign_tool_unnamed: { says: 'A tool without a name was left out.', values: ['number'] },
  foreign_tool_repeated: { says: 'Two tools of a server have the same name.', values: ['tool'] },
  foreign_tool_too_large: { says: 'The definition of a tool is too large.', values: ['tool'] },
  foreign_tool_takes_no_object: { says: 'What a tool takes is no object.', values: ['tool'] },
  foreign_tool_characters: { says: 'A definition has characters that cannot be stored.', values: ['tool'] },
  foreign_tool_unreadable: { says: 'The definition of a tool cannot be used.', values: ['tool'] },
  foreign_tool_unchecked: { says: 'Not all that a tool takes can be checked.', values: ['tool'] },
  foreign_tool_renamed: { says: 'A tool is called something else here.', values: ['tool', 'name'] },
  foreign_words_cut: { says: 'The description of a tool was cut.', values: ['tool'] },
  foreign_tool_new: { says: 'A server has a new tool.', values: ['tool'] },
  foreign_tool_gone: { says: 'A server no longer has a tool.', values: ['tool'] },
  foreign_words_changed: { says: 'A server describes a tool in other words.', values: ['tool'] },
  foreign_claims_more: { says: 'A server claims that a tool is more harmless.', values: ['tool', 'claims'] },
  foreign_claims_less: { says: 'A server claims that a tool is less harmless.', values: ['tool', 'claims'] },
  foreign_tool_takes_less: { says: 'A tool may no longer take what it took.', values: ['tool', 'place'] },

  // What a closed card says.
  asked_again: { says: 'The same thing is asked again below.' },
  yielded: { says: 'The same is asked for other people below.' },
  expired: { says: 'It was open for too long.' },
  no_longer_connected: { says: 'It was not done, because its server of MCP is no longer connected.' },
  not_carried_out: { says: 'It was stopped before it was done.' },
  new_message: { says: 'It was not done because the user wrote a new message.' },
  skipped: { says: 'It was not done because the user skipped it.' },
  denied: { says: 'The user denied it.' },
  decided: { says: 'It has already been decided.' },
  waits_for_other: { says: 'It waits for the decision on another call.' },

  // The end of an answer.
  stopped_early: { says: 'It was stopped before there was an answer.' },
  stopped: { says: 'The user stopped it.' },
  overtaken: { says: 'The user wrote again before it was finished.' },
  interrupted: { says: 'It was interrupted before it was finished.' },
  server_fault: { says: 'A fault on the server ended it.' },
  program_fault: { says: 'A bug ended it.' },
  not_stored: { says: 'The answer could not be stored.' },
  model_unavailable: { says: 'No language model is answering.', values: ['why', 'provider'] },
  context_too_long: {
    says: 'The message, the agent’s set-up or what a turn has brought is longer than the language model can read.',
    values: ['why'],
  },
  model_late: { says: 'The language model did not answer in time.' },
  model_silent: { says: 'The language model gave no answer.' },
  called_by_program: { says: 'A program has called the tool over MCP.', values: ['program'] },
  out_of_tokens: { says: 'The run has used up its tokens.' },
  cut_off: { says: 'The answer was cut off at the length limit.' },
  done: {
    says: 'What was done.',
    values: ['tools', 'toolNames', 'tool', 'toolName', 'input', 'output', 'known'],
  },
  done_meanwhile: { says: 'What was done in the meantime.', values: ['tools', 'toolNames'] },
  done_after_all: {
    says: 'What was done, as became known only after the user was told otherwise.',
    values: ['tools', 'toolNames'],
  },
  nothing_done: { says: 'Nothing was done.' },
  nothing_more_done: { says: 'Nothing more was done.' },
  not_done: {
    says: 'What was not done, and why, unless the model has answered and can say it.',
    values: [...call, 'isDone', 'input', 'why', 'whyValues'],
  },
  unknown_if_done: {
    says: 'What may have been done, and why nobody knows for certain.',
    values: [...call, 'isDone', 'input', 'why', 'whyValues'],
  },

  // While a message is being written.
  model_empty: { says: 'The model gave no answer, and is asked again.' },
  model_cut_off: { says: 'The model’s answer was cut off, and it is asked again.' },
  model_malformed: { says: 'The model’s answer could not be read, and it is asked again.' },
  model_repeats: { says: 'The model is repeating itself, and is asked for its answer.' },
  budget_near: {
    says: 'A limit has nearly been reached.',
    values: ['scope', 'measure', 'per', 'limit', 'share'],
  },
  model_not_responding: { says: 'The model keeps failing, and is asked again.' },
} as const satisfies Record<string, Sentence>

export type SentenceCode = keyof typeof sentences

/** The codes of sentences that cannot be said as they are if a value is missing. */
export type NeedyCode = {
  [Code in SentenceCode]: (typeof sentences)[Code] extends { needs: readonly string[] } ? Code : never
}[SentenceCode]

/** Names of the values without which a sentence cannot be said as it is. */
export const needsOf: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries<Sentence>(sentences).flatMap(([code, { needs }]) => (needs ? [[code, needs]] : [])),
)

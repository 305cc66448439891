/** What a user says, and the call that does it. A text argument must be contained, whatever its case; all else equal. */
export interface Conversation {
  says: string
  /** The tool that must succeed; absent where something is missing and the model has to ask. */
  tool?: string
  args?: Record<string, unknown>
}

const email = (says: string, to: string, args: Record<string, unknown> = {}): Conversation => ({
  says,
  tool: 'send_email',
  args: { to: [to], ...args },
})
const asks = (says: string): Conversation => ({ says })

export const conversations: readonly Conversation[] = [
  email(
    'Send an e-mail to ada@example.com, subject Meeting, saying that we meet at ten.',
    'ada@example.com',
    { subject: 'meeting' },
  ),
  email('Write to bob@example.org that the invoice is paid. Subject: Invoice 118.', 'bob@example.org', {
    subject: '118',
  }),
  email('Please mail eve@example.net: lunch is at noon. Call it Lunch.', 'eve@example.net', {
    subject: 'lunch',
  }),
  email('Tell my colleague j.doe@example.com by mail that I am ill today, subject Ill.', 'j.doe@example.com'),
  email('Mail hr@example.com my thanks for the new chair, with the subject New chair.', 'hr@example.com'),
  email(
    'Schreib eine E-Mail an karl@example.de, Betreff Termin, dass der Termin am Montag ist.',
    'karl@example.de',
    { subject: 'termin' },
  ),
  {
    says: 'Mail both ann@example.com and ben@example.com that the office is closed on Friday. Subject: Closed.',
    tool: 'send_email',
    args: { to: ['ann@example.com', 'ben@example.com'] },
  },
  {
    says: 'E-mail max@example.com the text "See you soon." with subject "Trip", and put tina@example.com in copy.',
    tool: 'send_email',
    args: { to: ['max@example.com'], cc: ['tina@example.com'] },
  },
  {
    says: 'Put "Dentist" into my calendar on 2026-12-01 at 09:30 UTC for 45 minutes.',
    tool: 'create_event',
    args: { title: 'dentist', duration_minutes: 45 },
  },
  {
    says: 'Schedule "Team call" for 3 December 2026, 14:00 UTC, one hour.',
    tool: 'create_event',
    args: { title: 'team call', duration_minutes: 60 },
  },
  {
    says: 'Block two hours from 8:00 UTC on 2026-12-07 for "Tax papers".',
    tool: 'create_event',
    args: { title: 'tax', duration_minutes: 120 },
  },
  {
    says: 'Invite leo@example.com to "Coffee" on 2026-12-04 at 15:00 UTC, half an hour.',
    tool: 'create_event',
    args: { title: 'coffee', duration_minutes: 30, attendees: ['leo@example.com'] },
  },
  {
    says: 'Calendar: "Yoga", 5 December 2026, 18:00 UTC, 90 minutes.',
    tool: 'create_event',
    args: { title: 'yoga', duration_minutes: 90 },
  },
  { says: 'Search the web for the Deno 2 release notes.', tool: 'web_search', args: { query: 'deno' } },
  {
    says: 'Find three results about PostgreSQL row level security.',
    tool: 'web_search',
    args: { query: 'row level security', count: 3 },
  },
  {
    says: 'What happened this week around Supabase? Search for it, only the last week.',
    tool: 'web_search',
    args: { query: 'supabase', period: 'week' },
  },
  {
    says: 'Look up train strikes in France, results of the last day only.',
    tool: 'web_search',
    args: { period: 'day' },
  },
  {
    says: 'Google five pages about growing tomatoes.',
    tool: 'web_search',
    args: { query: 'tomato', count: 5 },
  },
  { says: 'Search for the best e-readers of this year.', tool: 'web_search', args: { query: 'reader' } },
  {
    says: 'How will the weather be in Oslo, in Celsius?',
    tool: 'get_weather',
    args: { city: 'oslo', unit: 'celsius' },
  },
  {
    says: 'Three-day forecast for Boston in Fahrenheit, please.',
    tool: 'get_weather',
    args: { city: 'boston', unit: 'fahrenheit', days: 3 },
  },
  {
    says: 'Weather in Nairobi for the next 5 days, in degrees Celsius.',
    tool: 'get_weather',
    args: { city: 'nairobi', days: 5 },
  },
  {
    says: 'Is it going to rain in Kyoto this week? Use Celsius and seven days.',
    tool: 'get_weather',
    args: { city: 'kyoto', days: 7 },
  },
  {
    says: 'Convert 120 euros to US dollars.',
    tool: 'convert_currency',
    args: { amount: 120, from: 'eur', to: 'usd' },
  },
  {
    says: 'How many Swiss francs are 59.90 British pounds?',
    tool: 'convert_currency',
    args: { amount: 59.9, from: 'gbp', to: 'chf' },
  },
  {
    says: 'What are 1,500 yen in euros?',
    tool: 'convert_currency',
    args: { amount: 1500, from: 'jpy', to: 'eur' },
  },
  {
    says: '2.5 thousand Canadian dollars in Indian rupees?',
    tool: 'convert_currency',
    args: { amount: 2500, from: 'cad', to: 'inr' },
  },
  {
    says: 'Open an urgent ticket: the login page is down.',
    tool: 'create_ticket',
    args: { title: 'login', priority: 'urgent' },
  },
  {
    says: 'Create a ticket "Update the docs", low priority, due 2026-12-31.',
    tool: 'create_ticket',
    args: { title: 'docs', priority: 'low', due: '2026-12-31' },
  },
  {
    says: 'File a high priority ticket "Payment fails" with the labels billing and bug.',
    tool: 'create_ticket',
    args: { priority: 'high', labels: ['billing', 'bug'] },
  },
  {
    says: 'Normal ticket, please: "Printer on floor 3 jams".',
    tool: 'create_ticket',
    args: { title: 'printer', priority: 'normal' },
  },
  {
    says: 'Remind me on 2026-12-02 at 08:00 UTC to call the bank. Only once.',
    tool: 'set_reminder',
    args: { text: 'bank', repeat: 'none' },
  },
  {
    says: 'Every day at 07:00 UTC, starting 2026-12-01, remind me to take my pills.',
    tool: 'set_reminder',
    args: { text: 'pill', repeat: 'daily' },
  },
  {
    says: 'Weekly reminder from 2026-12-07, 17:00 UTC: water the plants.',
    tool: 'set_reminder',
    args: { text: 'plant', repeat: 'weekly' },
  },
  {
    says: "Change Ida Berg's e-mail address to ida.berg@example.com.",
    tool: 'update_contact',
    args: { name: 'ida', email: 'ida.berg@example.com' },
  },
  {
    says: 'Tom Reed has moved: 12 Mill Lane, Bath, BA1 2AB. Update his contact.',
    tool: 'update_contact',
    args: { name: 'tom', address: { street: '12 mill lane', city: 'bath', zip: 'ba1 2ab' } },
  },
  asks('Send an e-mail about the meeting.'),
  asks('Mail Ada that I will be late.'),
  asks('Forward my thanks to the whole team by e-mail, subject Thanks.'),
  asks('Write to my landlord that the heating is broken. Subject: Heating.'),
]

import { wordsOf } from '../../base/language.ts'

export const doorWords = wordsOf('door', {
  claim: 'Agents that fix their own mistakes, ask only when they must, and never send twice.',
  signIn: 'Sign in',
  createAnAccount: 'Create an account',
  createAccount: 'Create account',
  forgotten: 'Forgot password?',
  sendLink: 'Send me a link',
  haveAccount: 'I already have an account',
  email: 'Email',
  password: 'Password',
  shortest: (characters: number) => `At least ${characters} characters.`,
  enterPassword: 'Enter your password.',
  tryDemo: 'Try the demo',
  /** The text in brackets becomes a link. */
  demoNote:
    'Everything runs on your machine, and the demo’s emails land in [a test inbox]. Or use your own account:',
  demoGone: 'The demo account was deleted. Restart Askback to get a new one.',
  checkEmail: 'Check your email and open the link we sent you.',
  linkSent: 'If there’s an account with this address, we’ve emailed it a link.',
  sendAgain: 'Send the email again',
  sentAgain: 'We’ve sent it again.',
})

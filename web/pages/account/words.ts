import { wordsOf } from '../../language.ts'

export const accountWords = wordsOf('account', {
  title: 'Account',
  signedInAs: (email: string) => `Signed in as ${email}.`,
  devices: 'Devices',
  devicesNote:
    'Signs you out here and everywhere else. Other devices may take up to an hour. Tokens for OpenAI clients keep working.',
  signOutEverywhere: 'Sign out everywhere',
  signedOutEverywhere: 'You are signed out on all of your devices.',
})

import { expectLink, forgetLink } from '../base/link-session.ts'
import { linkWords } from './door/link-words.ts'

/** Asks before following a sign-in link that this browser did not request. */
export function LinkQuestion({ email, current }: { email: string; current: string | undefined }) {
  const words = linkWords()
  const name = email || words.somebodyElse
  const goOn = () => {
    expectLink(email)
    location.reload()
  }
  const leave = () => {
    forgetLink()
    location.replace(location.pathname)
  }
  return (
    <main className="door">
      <title>{`${words.linkTitle} · Askback`}</title>
      <div className="door-panel">
        <div className="stack addresses">
          <h1>{words.linkQuestion(name)}</h1>
          <p>{words.linkNote(name)}</p>
          <button type="button" className={current ? 'wide' : 'primary wide'} onClick={goOn}>
            {words.goOnAs(name)}
          </button>
          <button type="button" className={current ? 'primary wide' : 'wide'} onClick={leave}>
            {current ? words.stayAs(current) : words.dontSignIn}
          </button>
        </div>
      </div>
    </main>
  )
}

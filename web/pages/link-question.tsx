import { expectLink, forgetLink } from '../link-session.ts'

/** A link that nobody has asked for in this browser leads into an account: into whose, and whether that is wanted. */
export function LinkQuestion({ email, current }: { email: string; current: string | undefined }) {
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
      <title>Sign in with a link · Askback</title>
      <div className="door-panel">
        <div className="stack addresses">
          <h1>Sign in as {email}?</h1>
          <p>
            The link you opened signs you in as <strong>{email}</strong>. Continue only if this account is
            yours: everything you write and connect there belongs to it.
          </p>
          <button type="button" className={current ? 'wide' : 'primary wide'} onClick={goOn}>
            Go on as {email}
          </button>
          <button type="button" className={current ? 'primary wide' : 'wide'} onClick={leave}>
            {current ? `Stay signed in as ${current}` : 'Don’t sign in'}
          </button>
        </div>
      </div>
    </main>
  )
}

import { useId } from 'react'
import { shortestPassword } from '../../base/shortest-password.ts'
import { doorWords } from './words.ts'

/** A field for a password. Under that of a new one stands from the beginning how long it has to be. */
export function PasswordField({
  name = 'password',
  label,
  isNew,
  problemId,
}: {
  name?: string
  label: string
  isNew: boolean
  /** Id of what says what is wrong with it. */
  problemId?: string | undefined
}) {
  const id = useId()
  return (
    <div className="noted-field">
      <label>
        {label}
        <input
          name={name}
          type="password"
          autoComplete={isNew ? 'new-password' : 'current-password'}
          aria-invalid={problemId !== undefined}
          aria-describedby={problemId ?? (isNew ? id : undefined)}
          required
        />
      </label>
      {isNew && (
        <p id={id} className="quiet small">
          {doorWords().shortest(shortestPassword)}
        </p>
      )}
    </div>
  )
}

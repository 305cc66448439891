import { useLabels } from '../labels/use-labels.ts'
import { fileIdOf } from '../values/user-files.tsx'

/** A picture, or the name of a file; files that users attached are stored and open with a click. */
export function FileBlock({
  mediaType,
  url,
  filename,
  isUser,
}: {
  mediaType: string
  url: string
  filename: string | undefined
  /** A user attached it, or wrote the message. */
  isUser: boolean
}) {
  const labels = useLabels()
  // The writer of an answer could use a URL that only looks like a stored file.
  const isStored = isUser && fileIdOf(url) !== undefined
  const shown = isImage(mediaType, url, isStored) ? (
    <img className="askback-file" src={url} alt={filename ?? labels.attachedPicture} />
  ) : (
    <span className="askback-file" dir="auto">
      {filename ?? labels.attachedFile}
    </span>
  )
  if (!isStored) return <p>{shown}</p>
  return (
    <p>
      <a className="askback-file-link" href={url} target="_blank" rel="noopener noreferrer">
        {shown}
      </a>
    </p>
  )
}

/** Pictures are only shown from our storage or from data URLs, never from anywhere else. */
function isImage(mediaType: string, url: string, isStored: boolean): boolean {
  const isOurs = isStored || /^(?:data:image\/[^,]+,.|blob:|\/(?![/\\]))/.test(url)
  return isOurs && /^image\/(?:png|jpeg|gif|webp)$/.test(mediaType)
}

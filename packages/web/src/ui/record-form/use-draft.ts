import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { keepDraft, takeDraft } from '../../lib/form-drafts.ts'
import { sessionEnd, useSession } from '../../lib/session.ts'

/** Keeps what is typed when the session ends under the form, and gives it back to the same person at the same address. */
export const useDraft = <D>() => {
  const { pathname, search } = useLocation()
  const key = pathname + search
  const [person] = useState(useSession()?.usuario_id ?? 0)
  const [restored] = useState(() => takeDraft<D>(key, person))
  const latest = useRef<D>(undefined)
  useEffect(
    () => () => {
      if (latest.current !== undefined && sessionEnd() === 'terminou') keepDraft(key, person, latest.current)
    },
    [key, person],
  )
  return {
    restored,
    keep: (draft: D | undefined) => {
      latest.current = draft
    },
  }
}

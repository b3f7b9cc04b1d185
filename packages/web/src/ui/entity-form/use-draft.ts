import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { draftOf, dropDrafts, keepDraft } from '../../lib/forms/form-drafts.ts'
import { isRedirecting, useSession } from '../../lib/session/session.ts'

/**
 * Keeps unsaved input when the portal redirects (session ended, second factor demanded) and
 * restores it for the same person at the same address.
 * @param scope distinguishes drafts at one address: the page's form, its dialogs, the entity
 */
export const useDraft = <D>(scope = '') => {
  const { pathname, search } = useLocation()
  return useDraftByKey<D>(`${pathname}${search}#${scope}`)
}

/** The same for content without an address, such as a side panel: `key` alone identifies it. */
export const useDraftByKey = <D>(key: string) => {
  const [person] = useState(useSession()?.usuario_id ?? 0)
  const [restored] = useState(() => draftOf<D>(key, person))
  const latest = useRef<D>(undefined)
  const isDetour = useRef(false)
  useEffect(() => {
    dropDrafts(key, person)
    return () => {
      if (latest.current !== undefined && (isDetour.current || isRedirecting()))
        keepDraft(key, person, latest.current)
    }
  }, [key, person])
  return {
    restored,
    keep: (draft: D | undefined) => {
      latest.current = draft
    },
    /** Call before the form sends the person elsewhere and back: the draft is then kept too. */
    takeDetour: () => {
      isDetour.current = true
    },
  }
}

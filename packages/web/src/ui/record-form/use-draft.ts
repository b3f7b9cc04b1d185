import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { draftOf, dropDrafts, keepDraft } from '../../lib/form-drafts.ts'
import { isLedAway, useSession } from '../../lib/session.ts'

/**
 * Keeps what is typed when the portal leads away from under the form (the session ended, a second factor is demanded), and gives
 * it back to the same person at the same address.
 * `scope` tells apart what stands at one address: the page's form, its dialogs, and which record they are about.
 */
export const useDraft = <D>(scope = '') => {
  const { pathname, search } = useLocation()
  return useDraftOf<D>(`${pathname}${search}#${scope}`)
}

/** The same for what stands at no address, such as a panel beside the page: `key` alone tells it apart. */
export const useDraftOf = <D>(key: string) => {
  const [person] = useState(useSession()?.usuario_id ?? 0)
  const [restored] = useState(() => draftOf<D>(key, person))
  const latest = useRef<D>(undefined)
  const isDetour = useRef(false)
  useEffect(() => {
    dropDrafts(key, person)
    return () => {
      if (latest.current !== undefined && (isDetour.current || isLedAway()))
        keepDraft(key, person, latest.current)
    }
  }, [key, person])
  return {
    restored,
    keep: (draft: D | undefined) => {
      latest.current = draft
    },
    /** The person themselves goes where the form sends them first, and comes back. */
    takeDetour: () => {
      isDetour.current = true
    },
  }
}

import { useRef, useState } from 'react'
import { conversationIn } from '../../lib/navigation/report-path.ts'
import type { ViewedReport } from '../viewer/opening/use-report.ts'

/**
 * Whether the panel of comments is open, and on which thread. A link to a thread opens it.
 * @param key identifies the report: the panel closes when another one opens
 */
export const useComments = (
  key: string,
  search: URLSearchParams,
  report: Pick<ViewedReport, 'leaveThread'>,
) => {
  const [openOn, setOpenOn] = useState('')
  const button = useRef<HTMLButtonElement>(null)
  const idConversa = conversationIn(search)
  const isOpen = idConversa !== undefined || openOn === key
  const close = () => {
    setOpenOn('')
    report.leaveThread()
    button.current?.focus()
  }
  return {
    isOpen,
    idConversa,
    button,
    close,
    toggle: () => (isOpen ? close() : setOpenOn(key)),
    showAll: () => {
      setOpenOn(key)
      report.leaveThread()
    },
  }
}

import { type ComponentProps, useEffect } from 'react'
import { usePageTitle } from '../../lib/navigation/page-title.ts'
import { PageMessage } from '../../ui/page/page-message.tsx'
import { focusPageHeading } from '../../ui/page-focus.ts'

interface ResultMessageProps extends ComponentProps<typeof PageMessage> {
  /** The page's title, where the result changes it. */
  title?: string
}

/**
 * A result that replaces a form. Its heading gets the focus, so that screen readers announce it.
 */
export const ResultMessage = ({ title, ...message }: ResultMessageProps) => {
  usePageTitle(title)
  useEffect(focusPageHeading, [])
  return <PageMessage {...message} />
}

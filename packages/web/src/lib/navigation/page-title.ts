import { useEffect } from 'react'
import { brandName } from '../text/brand.ts'

export const setPageTitle = (title: string): void => {
  document.title = `${title} · ${brandName}`
}

/** Sets a title that is known only once the data is loaded; other titles are in the route table. */
export const usePageTitle = (title: string | undefined): void => {
  useEffect(() => {
    if (title) setPageTitle(title)
  }, [title])
}

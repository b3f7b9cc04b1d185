import { useEffect } from 'react'

export const setPageTitle = (title: string): void => {
  document.title = `${title} · BI Manager`
}

/** Sets a title that is known only once the data is loaded; other titles are in the route table. */
export const usePageTitle = (title: string | undefined): void => {
  useEffect(() => {
    if (title) setPageTitle(title)
  }, [title])
}

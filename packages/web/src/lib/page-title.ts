import { useEffect } from 'react'

export const setPageTitle = (title: string): void => {
  document.title = `${title} · BI Manager`
}

/** For a page whose title is known only once its data is there; the others state theirs in the route table. */
export const usePageTitle = (title: string | undefined): void => {
  useEffect(() => {
    if (title) setPageTitle(title)
  }, [title])
}

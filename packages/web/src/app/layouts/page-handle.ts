import { useMatches } from 'react-router'

/** Metadata of a page in the route table. */
export interface PageHandle {
  title: string
}

export const usePageHandle = (): PageHandle | undefined =>
  useMatches().at(-1)?.handle as PageHandle | undefined

import { createContext, use } from 'react'
import type { DataRouter } from 'react-router'

/** The router, for code that acts on a navigation before React renders it. */
export const RouterContext = createContext<DataRouter | undefined>(undefined)

export const useRouter = (): DataRouter => {
  const router = use(RouterContext)
  if (!router) throw new Error('RouterContext has no provider.')
  return router
}

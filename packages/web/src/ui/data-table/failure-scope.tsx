import {
  createContext,
  type ReactNode,
  use,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'

/** The parts of a page that failed with the same message, in the order of the page. */
interface Failed {
  id: string
  retry: () => void
}

const createScope = () => {
  const failed = new Map<string, Failed[]>()
  const listeners = new Set<() => void>()
  const set = (message: string, parts: Failed[]) => {
    failed.set(message, parts)
    for (const listener of listeners) listener()
  }
  const partsOf = (message: string): Failed[] => failed.get(message) ?? []
  return {
    partsOf,
    add: (message: string, part: Failed): (() => void) => {
      set(message, [...partsOf(message), part])
      return () =>
        set(
          message,
          partsOf(message).filter((other) => other !== part),
        )
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const Scope = createContext<ReturnType<typeof createScope> | undefined>(undefined)
const alone = createScope()

/** Parts in it that fail with the same message show it once; its button retries all of them. */
export const FailureScope = ({ children }: { children: ReactNode }) => {
  const [scope] = useState(createScope)
  return <Scope value={scope}>{children}</Scope>
}

/** Returns whether this part says the failure, and what its button does. */
export const useFailure = (message: string, onRetry: () => void) => {
  const shared = use(Scope)
  const scope = shared ?? alone
  const id = useId()
  const retry = useRef(onRetry)
  retry.current = onRetry
  useLayoutEffect(
    () => (shared ? shared.add(message, { id, retry: () => retry.current() }) : undefined),
    [shared, message, id],
  )
  const first = useSyncExternalStore(scope.subscribe, () => scope.partsOf(message)[0]?.id)
  return {
    isFirst: !shared || first === undefined || first === id,
    retryAll: () => {
      if (!shared) return onRetry()
      for (const part of shared.partsOf(message)) part.retry()
    },
  }
}

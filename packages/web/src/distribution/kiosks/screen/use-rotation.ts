import { ApiProblem, type KioskRotation, kioskScreenApi } from '@bi-manager/contract'
import { useEffect, useState } from 'react'
import { callerOf } from '../../../lib/api/bearer-call.ts'
import { serverNow } from '../../../lib/clock/server-clock.ts'
import { pause } from '../../../reports/index.ts'
import { forgetCredential } from './kiosk-credential.ts'

/** Milliseconds between two questions: a revoked screen goes back to its code within this time. */
const everyMs = 5_000
const callLimitMs = 15_000

interface RotationStatus {
  /** The rotation as the portal last answered it. */
  rotation?: KioskRotation | undefined
  /** Why the portal does not show the kiosk on this network; there is no rotation then. */
  refusal?: string | undefined
  /** Since when the portal does not answer (its time, ms); undefined while it answers. */
  silentSince?: number | undefined
}

/** Reads the rotation every few seconds. Forgets the credential that the portal refuses. */
export const useRotation = (credential: string): RotationStatus => {
  const [status, setStatus] = useState<RotationStatus>({})
  useEffect(() => {
    const life = new AbortController()
    follow(credential, life.signal, (change) => setStatus((before) => merged(before, change))).catch(
      () => undefined,
    )
    return () => life.abort()
  }, [credential])
  return status
}

/** Keeps the object of an unchanged rotation, so that nothing renders again. */
const merged = (before: RotationStatus, change: RotationStatus): RotationStatus => {
  const { silentSince } = change
  const after =
    silentSince === undefined ? change : { ...before, silentSince: before.silentSince ?? silentSince }
  if (JSON.stringify(after) === JSON.stringify(before)) return before
  const isSame = JSON.stringify(after.rotation) === JSON.stringify(before.rotation)
  return isSame ? { ...after, rotation: before.rotation } : after
}

/** Rejects when the signal is aborted. */
const follow = async (
  credential: string,
  signal: AbortSignal,
  onStatus: (status: RotationStatus) => void,
): Promise<void> => {
  const call = callerOf(credential)
  for (;;) {
    const askedAt = serverNow()
    try {
      onStatus({ rotation: await call(kioskScreenApi.rotation, {}, { signal, limitMs: callLimitMs }) })
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof ApiProblem && error.status === 401) return forgetCredential(credential)
      const isElsewhere = error instanceof ApiProblem && error.codigo === 'rede_de_telao'
      onStatus(isElsewhere ? { refusal: error.message } : { silentSince: askedAt })
    }
    await pause(everyMs, signal)
  }
}

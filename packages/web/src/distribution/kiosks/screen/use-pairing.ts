import { ApiProblem, type KioskPairing, kioskScreenApi } from '@bi-manager/contract'
import { useEffect, useState } from 'react'
import { messageOf } from '../../../lib/api/api.ts'
import { callerOf } from '../../../lib/api/bearer-call.ts'
import { loadNewVersion } from '../../../lib/api/new-version.ts'
import { serverNow } from '../../../lib/clock/server-clock.ts'
import { pause } from '../../../reports/index.ts'
import { storeCredential } from './kiosk-credential.ts'

/** Milliseconds between two questions whether the screen is connected. */
const everyMs = 5_000
const callLimitMs = 15_000

interface PairingStatus {
  /** Undefined while one is requested. */
  pairing?: Pick<KioskPairing, 'codigo' | 'expiraEm'> | undefined
  problem?: string | undefined
}

/** Shows codes, one after another, until an ADMIN has confirmed one. */
export const usePairing = (): PairingStatus => {
  const [status, setStatus] = useState<PairingStatus>({})
  useEffect(() => {
    const life = new AbortController()
    showCodes(life.signal, setStatus).catch(() => undefined)
    return () => life.abort()
  }, [])
  return status
}

/** Rejects when the signal is aborted. */
const showCodes = async (signal: AbortSignal, onStatus: (status: PairingStatus) => void): Promise<void> => {
  const call = callerOf()
  for (;;) {
    try {
      const pairing = await call(kioskScreenApi.requestCode, {}, { signal, limitMs: callLimitMs })
      onStatus({ pairing })
      if (await awaitConnection(pairing, { call, signal, onStatus })) return
      // Not before: an ADMIN may be typing the code, which a reload would lose.
      await loadNewVersion(signal)
    } catch (error) {
      signal.throwIfAborted()
      onStatus({ problem: messageOf(error) })
      const seconds = error instanceof ApiProblem ? error.retryAfter : undefined
      await pause(Math.max(everyMs, (seconds ?? 0) * 1_000), signal)
    }
  }
}

interface Waiting {
  call: ReturnType<typeof callerOf>
  signal: AbortSignal
  onStatus: (status: PairingStatus) => void
}

/** @returns whether the screen was connected before its code expired */
const awaitConnection = async (
  pairing: KioskPairing,
  { call, signal, onStatus }: Waiting,
): Promise<boolean> => {
  const { credencial, expiraEm } = pairing
  while (serverNow() < Date.parse(expiraEm)) {
    await pause(everyMs, signal)
    try {
      const body = { credencial }
      const { situacao } = await call(
        kioskScreenApi.awaitConnection,
        { body },
        { signal, limitMs: callLimitMs },
      )
      onStatus({ pairing })
      if (situacao === 'CONECTADA') {
        storeCredential(credencial)
        return true
      }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof ApiProblem && error.codigo === 'codigo_tela_vencido') return false
      onStatus({ pairing, problem: messageOf(error) })
    }
  }
  return false
}

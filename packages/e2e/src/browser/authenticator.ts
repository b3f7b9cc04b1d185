import { Secret, TOTP } from 'otpauth'

const stepMs = 30_000

/** Returns an authenticator app. The server accepts each time step once, and its neighbours. */
export const createAuthenticator = (secret: string) => {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  let last = 0
  return {
    /** Returns an unused code; waits for the next time step if necessary. */
    nextCode: async (): Promise<string> => {
      // Avoids the end of a step, where the code could expire before it arrives.
      const inStep = Date.now() % stepMs
      if (inStep > stepMs - 4_000) await sleep(stepMs - inStep + 100)
      last = Math.max(last + 1, Math.floor(Date.now() / stepMs) - 1)
      const early = (last - 1) * stepMs - Date.now()
      if (early > 0) await sleep(early + 100)
      return totp.generate({ timestamp: last * stepMs })
    },
  }
}
export type Authenticator = ReturnType<typeof createAuthenticator>

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

import { Secret, TOTP } from 'otpauth'

const stepMs = 30_000

/** A person's authenticator app. The server takes each time step once, and one step to either side of now. */
export const createAuthenticator = (secret: string) => {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  let last = 0
  return {
    /** A code that was not used before: mostly at once, else when the next time step begins. */
    nextCode: async (): Promise<string> => {
      // Not so late in a step that the code is too old when it arrives.
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

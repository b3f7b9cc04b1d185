import { expect, test } from 'vitest'
import { CLAIMS, REPORT, serviceWith } from '../../test/fixture.ts'

test.each([4, 8, 12, 15])(
  'the service refuses an embed token whose encrypted identity has a tag of %i bytes',
  async (length) => {
    const service = await serviceWith()
    const token = await service.embedToken(['todos'], { datasets: [CLAIMS] })
    const claims = service.app.jwt.decode<{ identities: string }>(token)
    const encrypted = Buffer.from(claims?.identities ?? '', 'base64url')
    // A nonce and a truncated tag, without ciphertext.
    const identities = encrypted.subarray(0, 12 + length).toString('base64url')
    const forged = service.app.jwt.sign({ ...claims, identities }, { algorithm: 'HS256' })
    const answer = await service.embed(forged, 'GET', `/reports/${REPORT}`)
    expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'PowerBINotAuthorizedException'])
    expect((await service.embed(token, 'GET', `/reports/${REPORT}`)).statusCode).toBe(200)
  },
)

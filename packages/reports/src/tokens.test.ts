import { expect, it } from 'vitest'
import { CLAIMS, REPORT, serviceWith } from '../test/fixture.ts'

it.each([4, 8, 12, 15])('an embed token whose seal has a tag of %i bytes opens nothing', async (length) => {
  const service = await serviceWith()
  const token = await service.embedToken(['todos'], { datasets: [CLAIMS] })
  const claims = service.app.jwt.decode<{ identities: string }>(token)
  const sealed = Buffer.from(claims?.identities ?? '', 'base64url')
  // Nonce and a tag that was cut, and nothing that it is about.
  const identities = sealed.subarray(0, 12 + length).toString('base64url')
  const forged = service.app.jwt.sign({ ...claims, identities }, { algorithm: 'HS256' })
  const answer = await service.embed(forged, 'GET', `/reports/${REPORT}`)
  expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'PowerBINotAuthorizedException'])
  expect((await service.embed(token, 'GET', `/reports/${REPORT}`)).statusCode).toBe(200)
})

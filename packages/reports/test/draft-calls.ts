import { afterAll, beforeAll, expect } from 'vitest'
import { type Service, startService } from './fixture.ts'

/** Returns the calls with which the portal publishes a file, for a person. */
export const beginDrafts = async (service: Service, person = 'ana') => {
  const token = await service.entraToken()
  const send = (bytes: string | Buffer, name = 'Atendimentos 2026.csv', authorization = `Bearer ${token}`) =>
    service.app.inject({
      method: 'POST',
      url: `/v1.0/myorg/drafts?name=${encodeURIComponent(name)}`,
      headers: { authorization, 'content-type': 'application/octet-stream', 'x-requested-for': person },
      payload: bytes,
    })
  /** Not `service.rest`: Microsoft describes no such call. */
  const post = (path: string, payload: object) =>
    service.app.inject({
      method: 'POST',
      url: `/v1.0/myorg/drafts/${path}`,
      headers: { authorization: `Bearer ${token}`, 'x-requested-for': person },
      payload,
    })
  const call = async (path: string, body: object) => (await post(path, body)).json()
  const draft = async (bytes: string | Buffer, name?: string): Promise<string> => {
    const answer = await send(bytes, name)
    expect([answer.statusCode, answer.body]).toEqual([201, expect.stringContaining('"id"')])
    return answer.json().id
  }
  return { token, send, post, call, draft }
}

/** Starts a service for the tests of a file. @returns the calls of a person, from the first test on */
export const useDrafts = () => {
  const drafts = {} as Awaited<ReturnType<typeof beginDrafts>>
  let service: Service
  beforeAll(async () => {
    service = await startService()
    await service.loaded
    Object.assign(drafts, await beginDrafts(service))
  }, 240_000)
  afterAll(() => service.stop())
  return drafts
}

import { afterEach, describe, expect, test, vi } from 'vitest'
import { problem } from '../state/problem.ts'
import { createRouter } from './router.ts'

const route = createRouter({
  'GET /report/pages': () => ({ status: 200, body: ['all'] }),
  'GET /report/pages/:page/visuals/:visual/filters': ({ params }) => ({ status: 200, body: params }),
  'PUT /report/pages': () => {
    throw problem(404, 'PowerBIEntityNotFound', 'Não há.')
  },
  'POST /report/pages': async () => {
    throw new TypeError('internals')
  },
})
const ask = (method: string, url: string) => route({ method, url, headers: {}, body: null })

afterEach(() => vi.restoreAllMocks())

describe('createRouter', () => {
  test('createRouter finds the handler by method and path, without the query', async () => {
    expect(await ask('GET', '/report/pages?x=1')).toEqual({ status: 200, body: ['all'] })
  })

  test('createRouter decodes path parameters', async () => {
    const { body } = await ask('GET', '/report/pages/vis%C3%A3o/visuals/a%2Fb/filters')
    expect(body).toEqual({ page: 'visão', visual: 'a/b' })
  })

  test.each([
    ['GET', '/report/theme'],
    ['DELETE', '/report/pages'],
    ['GET', '/report/pages/'],
    ['GET', '/x/report/pages'],
    ['CONSTRUCTOR', 'toString'],
  ])('createRouter answers 501 to %s %s', async (method, url) => {
    expect(await ask(method, url)).toEqual({
      status: 501,
      body: { message: 'NotImplemented', detailedMessage: `${method} ${url}`, errorCode: '501' },
    })
  })

  test('createRouter returns the body of a problem', async () => {
    expect(await ask('PUT', '/report/pages')).toEqual({
      status: 404,
      body: {
        message: 'PowerBIEntityNotFound',
        detailedMessage: 'Não há.',
        errorCode: 'PowerBIEntityNotFound',
        level: 3,
      },
    })
  })

  test('createRouter returns 400 for a malformed URL', async () => {
    expect((await ask('GET', '/report/pages/%E0%A4%A/visuals/v/filters')).status).toBe(400)
  })

  test('createRouter hides the details of an unexpected error and logs it', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { status, body } = await ask('POST', '/report/pages')
    expect(status).toBe(500)
    expect(JSON.stringify(body)).not.toContain('internals')
    expect(log).toHaveBeenCalledOnce()
  })
})

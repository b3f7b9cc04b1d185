import { expect, test } from 'vitest'
import { createChecks, createSecretSearch, type Description } from './checks.ts'
import type { Answer } from './send.ts'

/* Checks that the fuzz run would find faults. */

const problemSchema = {
  type: 'object',
  properties: { status: { type: 'integer' }, codigo: { type: 'string' } },
  required: ['status', 'codigo'],
}
const description: Description = {
  paths: {
    '/api/pessoas/{id}': {
      get: {
        responses: {
          200: {
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { id: { type: 'integer' } },
                  additionalProperties: false,
                },
              },
            },
          },
          204: {},
          default: {
            content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
          },
        },
      },
    },
  },
  components: { schemas: { Problem: problemSchema } },
}
const check = createChecks(description)

const answer = (status: number, body: unknown, headers: Answer['headers'] = {}): Answer => ({
  status,
  headers: {
    'content-type':
      status < 400 ? 'application/json; charset=utf-8' : 'application/problem+json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  },
  body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
})
const faultsOf = (given: Answer) => check('GET', '/api/pessoas/{id}', given).join('\n')

test.each([
  answer(200, { id: 1 }),
  answer(204, undefined),
  answer(404, { status: 404, codigo: 'nao_encontrado' }),
  answer(502, { status: 502, codigo: 'bi_relatorio_inexistente' }),
])('an answer $status as declared has no faults', (given) => {
  expect(faultsOf(given)).toBe('')
})

test.each([
  ['an undeclared field', answer(200, { id: 1, senhaHash: 'x' }), /additional properties/],
  ['another type', answer(200, { id: '1' }), /must be integer/],
  ['another content type', answer(200, { id: 1 }, { 'content-type': 'text/html' }), /text\/html/],
  ['an undeclared body', answer(204, { id: 1 }), /a body where none/],
  ['an undeclared status', answer(302, undefined), /not declared/],
  ['an internal error', answer(500, { status: 500, codigo: 'erro_interno' }), /status 500/],
  ['a problem with an unknown code', answer(400, { status: 400, codigo: 'toString' }), /in no table/],
  ['a code with another status', answer(400, { status: 400, codigo: 'nao_encontrado' }), /with status 400/],
  ['a problem without its fields', answer(404, { status: 404 }), /required property/],
  ['a missing nosniff header', answer(204, undefined, { 'x-content-type-options': '' }), /nosniff/],
  ['a cacheable answer', answer(204, undefined, { 'cache-control': 'public' }), /cache-control/],
  ['a cookie', answer(204, undefined, { 'set-cookie': ['a=b'] }), /a cookie/],
])('the check finds %s', (_, given, fault) => {
  expect(faultsOf(given)).toMatch(fault)
})

test.each([
  ['{"senha":"a senha de alguém"}', 'a password'],
  ['$argon2id$v=19$m=19456,t=2,p=1$x$y', 'a password hash'],
  ['v1.abcd1234.AAAAAAAAAAAAAAAA.x.y', 'an encrypted secret'],
  ['Error: x\n    at f (file.ts:1:2)', 'a stack trace'],
  ['select senha_hash from usuario where 1=1', 'a statement'],
])('the check finds a secret in %j', (text, name) => {
  const secrets = createSecretSearch(new Map([['a senha de alguém', 'a password']]))
  expect(secrets.in(text)).toContain(name)
  expect(secrets.in('{"nomeUsuario":"Ana"}')).toEqual([])
})

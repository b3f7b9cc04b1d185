import { expect, test } from 'vitest'
import { portalAddress, portalProcesses } from './processes.ts'

const addresses = (env: Record<string, string>) => portalProcesses(env).map(({ readyUrl }) => readyUrl)

test('the report service runs only where it is asked for', () => {
  expect(addresses({})).toEqual(['http://localhost:3000/readyz'])
  expect(addresses({ REPORTS_ENABLED: 'false' })).toEqual(['http://localhost:3000/readyz'])
  expect(addresses({ REPORTS_ENABLED: 'true', PORT: '4600', REPORTS_PORT: '4601' })).toEqual([
    'http://localhost:4600/readyz',
    'http://localhost:4601/readyz',
  ])
})

test('servers are asked where they listen', () => {
  expect(addresses({ HOST: '0.0.0.0' })).toEqual(['http://localhost:3000/readyz'])
  expect(addresses({ HOST: '127.0.0.2' })).toEqual(['http://127.0.0.2:3000/readyz'])
  expect(addresses({ HOST: '::1' })).toEqual(['http://[::1]:3000/readyz'])
})

test('the report service learns what the portal derives', () => {
  const [, reports] = portalProcesses({ REPORTS_ENABLED: '1', PORT: '4600', DATA_DIR: '/srv/bi' })
  expect(reports?.env).toMatchObject({
    PUBLIC_URL: 'http://localhost:4600',
    REPORTS_URL: 'http://localhost:3001',
    REPORTS_DATA_DIR: '/srv/bi/reports',
  })
})

test('a wrong setting is left for the server to name', () => {
  expect(addresses({ PORT: 'abc' })).toEqual(['http://localhost:3000/readyz'])
  expect(portalAddress({ PUBLIC_URL: 'nonsense' })).toBe('nonsense')
})

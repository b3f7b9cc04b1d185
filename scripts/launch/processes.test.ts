import { expect, test } from 'vitest'
import { portalAddress, portalProcesses } from './processes.ts'

const addresses = (env: Record<string, string>) => portalProcesses(env).map(({ readyUrl }) => readyUrl)

test('portalProcesses runs the report service only when it is enabled', () => {
  expect(addresses({})).toEqual(['http://localhost:3000/readyz'])
  expect(addresses({ REPORTS_ENABLED: 'false' })).toEqual(['http://localhost:3000/readyz'])
  expect(addresses({ REPORTS_ENABLED: 'true', PORT: '4600', REPORTS_PORT: '4601' })).toEqual([
    'http://localhost:4600/readyz',
    'http://localhost:4601/readyz',
  ])
})

test('portalProcesses polls servers at their listen address', () => {
  expect(addresses({ HOST: '0.0.0.0' })).toEqual(['http://localhost:3000/readyz'])
  expect(addresses({ HOST: '127.0.0.2' })).toEqual(['http://127.0.0.2:3000/readyz'])
  expect(addresses({ HOST: '::1' })).toEqual(['http://[::1]:3000/readyz'])
})

test('portalProcesses passes the addresses that the portal derives to the report service', () => {
  const [, reports] = portalProcesses({
    REPORTS_ENABLED: '1',
    PORT: '4600',
    DATA_DIR: '/srv/bi',
    DRAIN_SECONDS: '7',
  })
  expect(reports?.env).toMatchObject({
    PUBLIC_URL: 'http://localhost:4600',
    REPORTS_URL: 'http://localhost:3001',
    REPORTS_DATA_DIR: '/srv/bi/reports',
    DRAIN_SECONDS: '7',
  })
})

test('portalProcesses passes the folder for temporary files to the report service, and no secret', () => {
  const [, reports] = portalProcesses({
    REPORTS_ENABLED: '1',
    TMPDIR: '/srv/tmp',
    DATABASE_URL: 'postgres://x',
    SMTP_URL: 'smtp://x',
  })
  expect(reports?.env).toMatchObject({ TMPDIR: '/srv/tmp' })
  for (const secret of ['DATABASE_URL', 'SMTP_URL']) expect(reports?.env).not.toHaveProperty(secret)
})

test('portalProcesses passes an invalid setting on, for the server to report', () => {
  expect(addresses({ PORT: 'abc' })).toEqual(['http://localhost:3000/readyz'])
  expect(portalAddress({ PUBLIC_URL: 'nonsense' })).toBe('nonsense')
})

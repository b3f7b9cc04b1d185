import { expect, test } from 'vitest'
import { isAddressAllowed } from './networks.ts'

const networks = ['203.0.113.0/24', '198.51.100.7', '2001:db8::/32', '10.1.2.3/8']

test.each([
  ['203.0.113.9', true],
  ['203.0.114.9', false],
  ['::ffff:203.0.113.9', true],
  ['198.51.100.7', true],
  ['198.51.100.8', false],
  ['10.255.0.1', true],
  ['2001:db8:1::5', true],
  ['2001:DB8::5', true],
  ['2001:db9::5', false],
  ['fe80::1%eth0', false],
  ['', false],
  ['unknown', false],
])('%s is allowed: %s', (address, expected) => {
  expect(isAddressAllowed(networks, address)).toBe(expected)
})

test('without networks any address is allowed', () => {
  expect(isAddressAllowed([], '203.0.113.9')).toBe(true)
})

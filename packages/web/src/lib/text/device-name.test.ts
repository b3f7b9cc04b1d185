import { expect, test } from 'vitest'
import { deviceName, isHandheld } from './device-name.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  ['Chrome no Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/131.0.0.0 Safari/537.36`],
  ['Edge no Windows', `Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`],
  [
    'Opera no Mac',
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Chrome/130.0 Safari/537.36 OPR/116.0`,
  ],
  [
    'Safari no Mac',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
  ],
  [
    'Safari no iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  ],
  [
    'Chrome no iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0 Mobile/15E148 Safari/604.1',
  ],
  ['Firefox no Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0'],
  ['Firefox no Android', 'Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0'],
  [
    'Samsung Internet no Android',
    `Mozilla/5.0 (Linux; Android 14; SM-S911B) ${webkit} SamsungBrowser/27.0 Chrome/125.0 Mobile Safari/537.36`,
  ],
  ['Chrome no Chromebook', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/131.0 Safari/537.36`],
  ['Navegador no Linux', 'Mozilla/5.0 (X11; Linux x86_64)'],
  ['Programa curl', 'curl/8.5.0'],
  ['Programa python-requests', 'python-requests/2.31.0'],
  ['Navegador não identificado', 'Mozilla/5.0'],
  ['Navegador não identificado', '<script>alert(1)</script>'],
  ['Aparelho não identificado', ''],
  ['Aparelho não identificado', null],
])('deviceName returns %s for %s', (name, userAgent) => {
  expect(deviceName(userAgent)).toBe(name)
})

test('isHandheld is true for phones and tablets only', () => {
  expect(isHandheld('Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)')).toBe(true)
  expect(isHandheld('Mozilla/5.0 (Linux; Android 14; SM-S911B) Mobile Safari/537.36')).toBe(true)
  expect(isHandheld('Mozilla/5.0 (Windows NT 10.0; Win64; x64)')).toBe(false)
  expect(isHandheld(null)).toBe(false)
})

/** What a canvas cannot read from the style sheet: the colours of charts, on light and on dark ground. */
export interface Theme {
  name: 'light' | 'dark'
  /** Series colours, each at least 3:1 on the ground and told apart under the common colour-vision deficiencies. */
  palette: string[]
  /** Bars above and below zero. */
  above: string
  below: string
  surface: string
  strong: string
  muted: string
  axis: string
  grid: string
  tooltip: { ground: string; line: string; text: string }
}

export const lightTheme: Theme = {
  name: 'light',
  palette: ['#0f766e', '#c97a12', '#3b6fb6', '#b84a62', '#6a8532', '#7c5cab', '#2592ab', '#6b7785'],
  above: '#c97a12',
  below: '#0f766e',
  surface: '#ffffff',
  strong: '#14212b',
  muted: '#55636f',
  axis: '#c9d2d9',
  grid: '#e9eef1',
  tooltip: { ground: '#14212b', line: '#14212b', text: '#ffffff' },
}

export const darkTheme: Theme = {
  name: 'dark',
  palette: ['#2fb5a8', '#e39a3b', '#6ea3e6', '#e37f95', '#9bbb5c', '#ad8fdc', '#5cc3db', '#9aa8b5'],
  above: '#e39a3b',
  below: '#2fb5a8',
  surface: '#1c2729',
  strong: '#e8eef2',
  muted: '#a9b6c0',
  axis: '#475560',
  grid: '#2e3b3d',
  tooltip: { ground: '#0b1116', line: '#475560', text: '#e8eef2' },
}

const darkness = '(prefers-color-scheme: dark)'

/** Paper is always light. */
export const currentTheme = (printed: boolean) =>
  !printed && window.matchMedia(darkness).matches ? darkTheme : lightTheme

/** Calls back when reader or portal change between light and dark. */
export const watchTheme = (changed: () => void) =>
  window.matchMedia(darkness).addEventListener('change', changed)

export const fontFamily =
  "'Inter', system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

export const prefersStillness = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches

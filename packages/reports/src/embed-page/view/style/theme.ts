/** The supported part of Power BI's theme; other fields are dropped. */
export interface ReportTheme {
  name: string
  dataColors?: string[]
  background?: string
  foreground?: string
  tableAccent?: string
}

/** The colours of charts on light and dark backgrounds; a canvas cannot read the style sheet. */
export type Theme = typeof lightTheme

export const lightTheme = {
  /** `light` or `dark`, with the embedder's colours if it set some. */
  name: 'light',
  /**
   * Series colours: each has a contrast of at least 3:1, and they are distinct for common
   * colour-vision deficiencies.
   */
  palette: ['#0f766e', '#c97a12', '#3b6fb6', '#b84a62', '#6a8532', '#7c5cab', '#2592ab', '#6b7785'],
  /** Bars above and below zero. */
  above: '#c97a12',
  below: '#0f766e',
  /** Colours of tones, each 4.5:1 on the surface. */
  tones: { good: '#0f7048', warning: '#96590a', bad: '#b3322d' },
  /** Tones of bars, for which 3:1 is enough. */
  toneFills: { good: '#23875a', warning: '#c97a12', bad: '#c0473f' },
  /** Colours from low to high values. */
  scale: ['#e4f1ef', '#7cc0b8', '#1d857c', '#0a4f4a'],
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
  tones: { good: '#6fd3a2', warning: '#f0b95b', bad: '#ff9c95' },
  toneFills: { good: '#4fb98a', warning: '#e39a3b', bad: '#e5766f' },
  scale: ['#22393b', '#24706b', '#35b0a5', '#a3efe5'],
  surface: '#1c2729',
  strong: '#e8eef2',
  muted: '#a9b6c0',
  axis: '#475560',
  grid: '#2e3b3d',
  tooltip: { ground: '#0b1116', line: '#475560', text: '#e8eef2' },
}

export const fontFamily =
  "'Inter', system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

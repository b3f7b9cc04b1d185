// The package brings no types: what is used of it.
declare module 'fontkit' {
  interface Font {
    /** What it has made of its glyphs so far. */
    _glyphs: object
  }
  export const create: (bytes: Uint8Array) => Font
}

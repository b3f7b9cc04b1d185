/** Palettes of Mantine that no page uses: a fifth of the style sheet that the sign-in page waits for. The build drops them. */
export const unusedPalettes = ['pink', 'grape', 'violet', 'indigo', 'blue', 'cyan', 'green', 'lime', 'orange']

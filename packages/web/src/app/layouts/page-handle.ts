/** Metadata of a page in the route table. */
export interface PageHandle {
  title: string
}

/** The part of the package that ranks media types: bundles for browsers need none of the others. */
declare module 'negotiator/lib/mediaType.js' {
  export default function preferredMediaTypes(accept: string, provided: readonly string[]): string[];
}

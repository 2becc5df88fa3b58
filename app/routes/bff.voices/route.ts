import type { LoaderFunctionArgs } from "@remix-run/node";
import { refusalAnswer } from "~server/bff/refusal-answer.server";
import { readSquareVoices } from "~server/bff/voices.server";

/** `?page=&keyword=`: a page of the square's voices for pickers, as a VoicePage or `{refusal}`. */
export async function loader({ request, context: { upstream, session } }: LoaderFunctionArgs) {
  try {
    return Response.json(await readSquareVoices(upstream, new URL(request.url).searchParams));
  } catch (error) {
    return refusalAnswer(error, session);
  }
}

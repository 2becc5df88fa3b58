import { Hono } from "hono";
import { squareHomeQuery, squareListQuery } from "~server/contract/calls/role";
import type { Square } from "../square/roles";
import { answer } from "./envelope";
import { parseQuery } from "./parse";

export function createSquareRoutes(square: Square) {
  return new Hono()
    .get("/role/common/list", async (c) => answer(c, await square.list(parseQuery(c, squareListQuery))))
    .get("/role/common/home", async (c) => answer(c, await square.home(parseQuery(c, squareHomeQuery).size)));
}
